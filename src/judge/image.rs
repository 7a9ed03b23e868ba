//! Makes the image: links the interpreter, starts it once, imports the library, freezes it.
//!
//! The interpreter (CPython for WebAssembly) and its runtime come from the package
//! `eryx-runtime`, the Python library by [`library`](super::library). Starting the
//! interpreter reads the library and takes seconds; so it is started here, once, in the
//! deterministic world of [`host`](super::host), and its memory is written back into the
//! component (wizer). The image has the same SHA-256 wherever it is made.
//! [`cache`](super::cache) keeps the compiled image.

use bytes::Bytes;
use wasmtime::component::{Component, Instance, Val};
use wasmtime::{Engine, Result, Store, bail, format_err};
use wasmtime_wizer::{WasmtimeWizerComponent, Wizer};

use super::files;
use super::host::{self, Guest};

/// What runs inside, see there.
pub(super) const DRIVER: &str = include_str!("driver.py");

/// The image as a WebAssembly component.
pub(super) async fn build(engine: &Engine) -> Result<Vec<u8>> {
    let library = super::library::archive().map_err(|why| format_err!("{why}"))?;
    let linked = eryx_runtime::linker::link_with_extensions(&[])
        .map_err(|e| format_err!("linking the interpreter: {e}"))?;
    let wizer = Wizer::new();
    let (context, instrumented) = wizer.instrument_component(&linked)?;
    let component = Component::new(engine, &instrumented)?;

    let guest = Guest::new(
        &[
            ("PYTHONHASHSEED", "0"),
            ("PYTHONHOME", files::FOLDER),
            ("PYTHONPATH", files::ARCHIVE),
            ("PYTHONDONTWRITEBYTECODE", "1"),
        ],
        Some(Bytes::from(library)),
    );
    let mut store = Store::new(engine, guest);
    store.set_fuel(u64::MAX)?;
    store.set_epoch_deadline(u64::MAX / 2);
    let instance =
        host::linker(engine, &component)?.instantiate_async(&mut store, &component).await?;
    if let Err(error) = execute(&mut store, &instance, DRIVER).await? {
        bail!("the driver failed: {error}");
    }
    // Handles of the archive must not be frozen into the image.
    let finalize = instance
        .get_func(&mut store, "finalize-preinit")
        .ok_or_else(|| format_err!("the runtime has no finalize-preinit"))?;
    finalize.call_async(&mut store, &[], &mut []).await?;
    wizer
        .snapshot_component(context, &mut WasmtimeWizerComponent { store: &mut store, instance })
        .await
}

/// Runs Python source in the guest. `Ok(Ok(text))` is what it left in the variable `result`, as
/// JSON; `Ok(Err(text))` an exception; `Err` a trap.
pub(super) async fn execute(
    store: &mut Store<Guest>,
    instance: &Instance,
    source: &str,
) -> Result<std::result::Result<String, String>> {
    let function = instance
        .get_func(&mut *store, "execute")
        .ok_or_else(|| format_err!("the runtime has no execute"))?;
    let mut results = [Val::Bool(false)];
    function.call_async(&mut *store, &[Val::String(source.into())], &mut results).await?;
    let [reply] = results;
    match reply {
        Val::Result(Ok(Some(output))) => {
            let Val::Record(fields) = *output else { bail!("execute gave an odd reply") };
            let mut fields = fields.into_iter().filter(|(name, _)| name == "result-json");
            match fields.next() {
                Some((_, Val::String(text))) => Ok(Ok(text)),
                _ => bail!("execute gave no result"),
            }
        }
        Val::Result(Err(Some(error))) => match *error {
            Val::String(text) => Ok(Err(text)),
            _ => bail!("execute gave an odd error"),
        },
        _ => bail!("execute gave an odd reply"),
    }
}
