//! The file system the guest sees: nothing, or one archive in one folder.
//!
//! While the image is made the interpreter reads its library from an archive in memory; at run
//! time there is no folder at all. Neither touches a disk, so no time stamp, inode number or
//! order of entries of this machine gets into the image. Part of [`host`](super::host).

use bytes::Bytes;
use wasmtime::component::types::{ComponentFunc, ComponentItem};
use wasmtime::component::{Component, Linker, Resource, ResourceType, Type, Val};
use wasmtime::{Engine, Result, StoreContextMut};
use wasmtime_wasi::p2::bindings::clocks::wall_clock::Datetime;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, MetadataHashValue, OpenFlags,
    PathFlags,
};
use wasmtime_wasi::p2::{DynInputStream, pipe::MemoryInputPipe};

use super::host::Guest;

/// The only folder.
pub(super) const FOLDER: &str = "/lib";
/// The only file in it.
pub(super) const ARCHIVE: &str = "/lib/python.zip";
const ARCHIVE_NAME: &str = "python.zip";
/// 2026-01-01, the time of everything.
const STAMP: Option<Datetime> = Some(Datetime { seconds: 1_767_225_600, nanoseconds: 0 });

/// An open folder or file.
enum Entry {
    Folder,
    Archive,
}

/// An open list of entries; there is never one, the interface wants the type.
struct Listing;

type Store<'a> = StoreContextMut<'a, Guest>;
type Reply<T> = Result<(std::result::Result<T, ErrorCode>,)>;
type File = Resource<Entry>;

/// Both interfaces of `wasi:filesystem`, as far as `component` imports them.
pub(super) fn add_to_linker(
    linker: &mut Linker<Guest>,
    engine: &Engine,
    component: &Component,
) -> Result<()> {
    linker.instance("wasi:filesystem/preopens@0.2.6")?.func_wrap(
        "get-directories",
        |mut store: Store<'_>, (): ()| -> Result<(Vec<(File, String)>,)> {
            let guest = store.data_mut();
            let mut folders = Vec::new();
            if guest.archive.is_some() {
                folders.push((guest.table.push(Entry::Folder)?, FOLDER.to_owned()));
            }
            Ok((folders,))
        },
    )?;
    let mut types = linker.instance("wasi:filesystem/types@0.2.6")?;
    types.resource("descriptor", ResourceType::host::<Entry>(), |mut store, rep| {
        store.data_mut().table.delete(File::new_own(rep))?;
        Ok(())
    })?;
    types.resource("directory-entry-stream", ResourceType::host::<Listing>(), |_, _| Ok(()))?;

    // Whatever is not answered below is answered "no access".
    for (interface, item) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(interface_type) = item else { continue };
        if !interface.starts_with("wasi:filesystem/types@") {
            continue;
        }
        for (name, item) in interface_type.exports(engine) {
            let ComponentItem::ComponentFunc(_) = item else { continue };
            types.func_new(name, no_access)?;
        }
    }
    types.func_wrap("[method]descriptor.get-flags", |_: Store<'_>, _: (File,)| {
        Reply::Ok((Ok(DescriptorFlags::READ),))
    })?;
    types.func_wrap("[method]descriptor.get-type", |store: Store<'_>, (file,): (File,)| {
        Reply::Ok((Ok(stat(store.data(), store.data().table.get(&file)?).type_),))
    })?;
    types.func_wrap("[method]descriptor.stat", |store: Store<'_>, (file,): (File,)| {
        Reply::Ok((Ok(stat(store.data(), store.data().table.get(&file)?)),))
    })?;
    types.func_wrap(
        "[method]descriptor.stat-at",
        |store: Store<'_>, (_, _, path): (File, PathFlags, String)| {
            Reply::Ok((find(&path).map(|entry| stat(store.data(), &entry)),))
        },
    )?;
    types.func_wrap(
        "[method]descriptor.open-at",
        |mut store: Store<'_>,
         (_, _, path, how, _): (File, PathFlags, String, OpenFlags, DescriptorFlags)|
         -> Reply<File> {
            match find(&path) {
                Ok(Entry::Archive) if how.contains(OpenFlags::DIRECTORY) => {
                    Ok((Err(ErrorCode::NotDirectory),))
                }
                Ok(entry) => Ok((Ok(store.data_mut().table.push(entry)?),)),
                Err(code) => Ok((Err(code),)),
            }
        },
    )?;
    types.func_wrap(
        "[method]descriptor.read-via-stream",
        |mut store: Store<'_>, (_, from): (File, u64)| -> Reply<Resource<DynInputStream>> {
            let guest = store.data_mut();
            let all = guest.archive.unwrap_or_default();
            let rest = usize::try_from(from).ok().and_then(|from| all.get(from..));
            let pipe = MemoryInputPipe::new(Bytes::from_static(rest.unwrap_or_default()));
            let stream: DynInputStream = Box::new(pipe);
            Ok((Ok(guest.table.push(stream)?),))
        },
    )?;
    types.func_wrap("[method]descriptor.metadata-hash", |_: Store<'_>, _: (File,)| {
        Reply::Ok((Ok(MetadataHashValue { lower: 21, upper: 0 }),))
    })?;
    types.func_wrap(
        "[method]descriptor.metadata-hash-at",
        |_: Store<'_>, (_, _, path): (File, PathFlags, String)| {
            Reply::Ok((find(&path).map(|_| MetadataHashValue { lower: 21, upper: 0 }),))
        },
    )?;
    Ok(())
}

/// The entry at a path relative to the folder.
fn find(path: &str) -> std::result::Result<Entry, ErrorCode> {
    match path {
        "" | "." => Ok(Entry::Folder),
        ARCHIVE_NAME => Ok(Entry::Archive),
        _ if path.starts_with("python.zip/") => Err(ErrorCode::NotDirectory),
        _ => Err(ErrorCode::NoEntry),
    }
}

fn stat(guest: &Guest, entry: &Entry) -> DescriptorStat {
    let (type_, size) = match entry {
        Entry::Folder => (DescriptorType::Directory, 0),
        Entry::Archive => {
            (DescriptorType::RegularFile, guest.archive.unwrap_or_default().len() as u64)
        }
    };
    DescriptorStat {
        type_,
        link_count: 1,
        size,
        data_access_timestamp: STAMP,
        data_modification_timestamp: STAMP,
        status_change_timestamp: STAMP,
    }
}

fn no_access(_: Store<'_>, ty: ComponentFunc, _: &[Val], results: &mut [Val]) -> Result<()> {
    for (slot, ty) in results.iter_mut().zip(ty.results()) {
        *slot = match ty {
            Type::Result(_) => Val::Result(Err(Some(Box::new(Val::Enum("access".into()))))),
            Type::Option(_) => Val::Option(None),
            Type::Bool => Val::Bool(false),
            _ => wasmtime::bail!("the sandbox has no file system"),
        };
    }
    Ok(())
}
