//! The world the guest sees: an engine with fixed settings and imports that answer the same on
//! every machine.
//!
//! Used twice, by [`image`](super::image) while the interpreter is started once and frozen, and
//! by [`run`](super::run) for each call of an answer. WASI comes from `wasmtime-wasi`; what would
//! differ between machines (clocks, random bytes, file stamps, waiting) is replaced here.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use wasmtime::component::{
    Component, ComponentType, Lift, Linker, Lower, Resource, ResourceTable, Val,
    types::ComponentFunc,
};
use wasmtime::{Config, Engine, ResourceLimiter, Result, StoreContextMut};
use wasmtime_wasi::p2::{DynPollable, Pollable, subscribe};
use wasmtime_wasi::random::Deterministic;
use wasmtime_wasi::{HostWallClock, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::files;

/// Fuel of one call: 3 to 5 seconds of spinning on an ordinary machine.
pub(super) const FUEL: u64 = 20_000_000_000;
/// Copying memory costs fuel a call, not a byte, so a call that does nothing else outlasts its fuel. This ends it, as a
/// verdict: ticks of [`TICK`] after which a call is over, more than ten times what the fuel lasts on a slow machine.
pub(super) const TICKS: u64 = 240;
/// How often the engine looks at the time.
pub(super) const TICK: Duration = Duration::from_millis(250);
/// Linear memory of one call.
pub(super) const MEMORY: usize = 256 << 20;
/// Stack that WebAssembly frames may use, and the whole native stack with room for host calls.
const WASM_STACK: usize = 64 << 20;
const HOST_STACK: usize = 80 << 20;
/// What the clocks show first: 2026-01-01T00:00:00Z.
const EPOCH: Duration = Duration::from_secs(1_767_225_600);

/// The engine: everything that could make two machines differ is pinned.
pub(super) fn engine() -> Result<Engine> {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        .wasm_component_model_async(true)
        .wasm_threads(false)
        .wasm_relaxed_simd(false)
        .relaxed_simd_deterministic(true)
        .cranelift_nan_canonicalization(true)
        .consume_fuel(true)
        .epoch_interruption(true)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(HOST_STACK)
        .memory_init_cow(true)
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None)
        .native_unwind_info(false);
    Engine::new(&config)
}

/// A clock that moves by one microsecond each time it is read, and on by what a sleeper asks for.
#[derive(Clone)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn advance(&self, nanoseconds: u64) -> u64 {
        // Half of the range is 292 years of sleeping; there the clock stops instead of wrapping.
        let now = self.0.load(Ordering::Relaxed).saturating_add(nanoseconds).min(u64::MAX / 2);
        self.0.store(now, Ordering::Relaxed);
        now
    }
}

impl HostWallClock for Clock {
    fn resolution(&self) -> Duration {
        Duration::from_micros(1)
    }

    fn now(&self) -> Duration {
        EPOCH + Duration::from_nanos(self.advance(1000))
    }
}

/// A wait that is over: sleeping moves the clock and takes no time.
struct Over;

impl Pollable for Over {
    fn ready<'a, 'b>(&'a mut self) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(std::future::ready(()))
    }
}

/// The host side of one guest.
pub(super) struct Guest {
    wasi: WasiCtx,
    pub(super) table: ResourceTable,
    clock: Clock,
    /// The one file there is while the image is made; at run time there is none.
    pub(super) archive: Option<Bytes>,
    /// Whether the guest asked for more memory than it may have.
    pub(super) memory_denied: bool,
}

impl Guest {
    /// A guest with these environment variables, no network and no file but `archive`.
    pub(super) fn new(env: &[(&str, &str)], archive: Option<Bytes>) -> Self {
        let clock = Clock(Arc::new(AtomicU64::new(0)));
        let wasi = WasiCtxBuilder::new()
            .envs(env)
            .wall_clock(clock.clone())
            .secure_random(Deterministic::new(random_bytes()))
            .insecure_random(Deterministic::new(random_bytes()))
            .insecure_random_seed(21)
            .allow_tcp(false)
            .allow_udp(false)
            .build();
        Self { wasi, table: ResourceTable::new(), clock, archive, memory_denied: false }
    }
}

/// 64 fixed bytes that look like anything; the guest gets them again and again.
fn random_bytes() -> Vec<u8> {
    let mut state = 21u32;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    })
    .take(64)
    .collect()
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl ResourceLimiter for Guest {
    fn memory_growing(&mut self, _now: usize, wanted: usize, _max: Option<usize>) -> Result<bool> {
        let fits = wanted <= MEMORY;
        self.memory_denied |= !fits;
        Ok(fits)
    }

    fn table_growing(&mut self, _now: usize, wanted: usize, _max: Option<usize>) -> Result<bool> {
        Ok(wanted <= 1_000_000)
    }
}

/// All imports that `component` has.
pub(super) fn linker(engine: &Engine, component: &Component) -> Result<Linker<Guest>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    linker.allow_shadowing(true);
    pin_clock(&mut linker)?;
    files::add_to_linker(&mut linker, engine, component)?;
    linker.allow_shadowing(false);
    runtime_imports(&mut linker)?;
    network_imports(&mut linker)?;
    Ok(linker)
}

/// Waiting for a time moves the clock there and goes on.
fn pin_clock(linker: &mut Linker<Guest>) -> Result<()> {
    type Wait = (Resource<DynPollable>,);
    fn over(guest: &mut Guest) -> Result<Wait> {
        let over = guest.table.push(Over)?;
        Ok((subscribe(&mut guest.table, over)?,))
    }
    let mut clock = linker.instance("wasi:clocks/monotonic-clock@0.2.6")?;
    clock.func_wrap("now", |store: StoreContextMut<'_, Guest>, (): ()| {
        Ok((store.data().clock.advance(1000),))
    })?;
    clock.func_wrap("resolution", |_: StoreContextMut<'_, Guest>, (): ()| Ok((1000u64,)))?;
    clock.func_wrap(
        "subscribe-duration",
        |mut store: StoreContextMut<'_, Guest>, (by,): (u64,)| {
            let guest = store.data_mut();
            guest.clock.advance(by);
            over(guest)
        },
    )?;
    clock.func_wrap(
        "subscribe-instant",
        |mut store: StoreContextMut<'_, Guest>, (at,): (u64,)| {
            let guest = store.data_mut();
            let now = guest.clock.advance(0);
            guest.clock.advance(at.saturating_sub(now));
            over(guest)
        },
    )?;
    Ok(())
}

/// What the interpreter's runtime asks of its host beside WASI: callbacks (there are none), trace
/// and output (nobody listens).
fn runtime_imports(linker: &mut Linker<Guest>) -> Result<()> {
    type Reply = (std::result::Result<String, String>,);
    let mut root = linker.root();
    root.func_wrap_concurrent("invoke", |_, (_name, _arguments): (String, String)| {
        Box::pin(async move {
            let reply: Reply = (Err("the sandbox has no callbacks".into()),);
            Ok(reply)
        })
    })?;
    let none = |_: StoreContextMut<'_, Guest>, _: ComponentFunc, _: &[Val], out: &mut [Val]| {
        if let Some(out) = out.first_mut() {
            *out = Val::List(Vec::new());
        }
        Ok(())
    };
    root.func_new("list-callbacks", none)?;
    root.func_new("report-trace", none)?;
    root.func_new("report-output", none)?;
    Ok(())
}

/// `tcp-error` of the runtime's own network interface; only "not permitted" is ever made.
#[derive(ComponentType, Lift, Lower)]
#[component(variant)]
enum TcpError {
    #[component(name = "connection-refused")]
    ConnectionRefused,
    #[component(name = "connection-reset")]
    ConnectionReset,
    #[component(name = "timed-out")]
    TimedOut,
    #[component(name = "host-not-found")]
    HostNotFound,
    #[component(name = "io-error")]
    IoError(String),
    #[component(name = "not-permitted")]
    NotPermitted(String),
    #[component(name = "invalid-handle")]
    InvalidHandle,
}

/// `tls-error` of the same.
#[derive(ComponentType, Lift, Lower)]
#[component(variant)]
enum TlsError {
    #[component(name = "tcp")]
    Tcp(TcpError),
    #[component(name = "handshake-failed")]
    HandshakeFailed(String),
    #[component(name = "certificate-error")]
    CertificateError(String),
    #[component(name = "invalid-handle")]
    InvalidHandle,
}

/// The network: every door is shut.
fn network_imports(linker: &mut Linker<Guest>) -> Result<()> {
    type Shut<T, E> = Result<(std::result::Result<T, E>,)>;
    type Store<'a> = StoreContextMut<'a, Guest>;
    fn tcp<T>() -> Shut<T, TcpError> {
        Ok((Err(TcpError::NotPermitted("the sandbox has no network".into())),))
    }
    fn tls<T>() -> Shut<T, TlsError> {
        Ok((Err(TlsError::Tcp(TcpError::NotPermitted("the sandbox has no network".into()))),))
    }
    let mut net = linker.instance("eryx:net/tcp@0.1.0")?;
    net.func_wrap("connect", |_: Store<'_>, _: (String, u16, u32)| tcp::<u32>())?;
    net.func_wrap("read", |_: Store<'_>, _: (u32, u32, u32)| tcp::<Vec<u8>>())?;
    net.func_wrap("write", |_: Store<'_>, _: (u32, u32, Vec<u8>)| tcp::<u32>())?;
    net.func_wrap("close", |_: Store<'_>, _: (u32,)| Ok(()))?;
    let mut net = linker.instance("eryx:net/tls@0.1.0")?;
    net.func_wrap("upgrade", |_: Store<'_>, _: (u32, String, u32)| tls::<u32>())?;
    net.func_wrap("read", |_: Store<'_>, _: (u32, u32, u32)| tls::<Vec<u8>>())?;
    net.func_wrap("write", |_: Store<'_>, _: (u32, u32, Vec<u8>)| tls::<u32>())?;
    net.func_wrap("close", |_: Store<'_>, _: (u32,)| Ok(()))?;
    Ok(())
}
