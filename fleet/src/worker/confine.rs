//! `fleet confine`: a command that sees little of the machine, made by the kernel's Landlock and
//! seccomp. For machines where `bubblewrap` cannot work: it needs no privilege and no namespace.
//!
//! Files: only those given, and nothing can be written but in folders given. Network: no sockets at
//! all, or only TCP connections to one port, that of a proxy; to all ports if the kernel is older than 6.7. `root` has no
//! power. Not confined: other processes can be seen, and get
//! signals if the kernel is older than 6.12.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use kit::Exit;
use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, NetPort, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

/// Run a command in a sandbox made by Landlock and seccomp, as a worker does where `bubblewrap`
/// cannot work
///
/// Example: `fleet confine --read /usr --read /lib --read /lib64 --write . -- make`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ConfineArgs {
    /// File or folder that may be read and executed
    ///
    /// One that does not exist is left out. May be repeated.
    #[arg(long, value_name = "PATH")]
    read: Vec<PathBuf>,

    /// File or folder that may also be written
    ///
    /// May be repeated.
    #[arg(long, value_name = "PATH")]
    write: Vec<PathBuf>,

    /// Permit TCP connections to this port
    ///
    /// That of a proxy, for a command that downloads.
    #[arg(long, value_name = "PORT")]
    connect: Option<u16>,

    /// The command, and its arguments
    #[arg(value_name = "COMMAND", last = true, required = true)]
    command: Vec<OsString>,
}

/// What keeps a command from being confined.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConfineError {
    #[error("Landlock does not work here (it needs Linux 6.2 or newer): {0}")]
    Landlock(#[from] RulesetError),
    #[error("Landlock is switched off in this kernel")]
    Off,
    #[error("seccomp does not work here: {0}")]
    Filter(#[from] seccompiler::Error),
    #[error("seccomp does not work here: {0}")]
    Backend(#[from] seccompiler::BackendError),
    #[error("capabilities cannot be dropped: {0}")]
    Capabilities(io::Error),
    #[error("its thread ended")]
    Thread,
}

/// How much of what can be confined this kernel confines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Confinement {
    /// Whether other processes of the user get no signals (Linux 6.12).
    pub(super) signals: bool,
    /// Whether connections are limited to a port (Linux 6.7).
    pub(super) ports: bool,
}

/// Becomes the command, confined.
///
/// # Errors
/// Nothing can be confined here, or the command cannot be started.
pub fn run(args: &ConfineArgs) -> anyhow::Result<Exit> {
    restrict(args)?;
    let (program, words) = args.command.split_first().expect("clap requires one");
    #[expect(clippy::disallowed_methods, reason = "it becomes the command")]
    let error: io::Error = Command::new(program).args(words).exec();
    Err(anyhow::anyhow!("{}: {error}", program.display()))
}

/// What this kernel confines, found out by a thread that confines itself.
///
/// # Errors
/// It confines too little.
pub(super) fn available() -> Result<Confinement, ConfineError> {
    // Neither can be undone, but both bind one thread alone (`landlock(7)`, `seccomp(2)`).
    let thread = std::thread::spawn(|| restrict(&ConfineArgs::default()));
    thread.join().map_err(|_| ConfineError::Thread)??;
    let required = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    Ok(Confinement {
        signals: required().scope(Scope::Signal).is_ok(),
        ports: required().handle_access(AccessNet::ConnectTcp).is_ok(),
    })
}

/// Confines the calling thread, and what it will become or start.
fn restrict(args: &ConfineArgs) -> Result<(), ConfineError> {
    // Before the third version (Linux 6.2), files outside could be truncated.
    let files = AccessFs::from_all(ABI::V3);
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(files)?
        // Signals and abstract sockets came with the sixth version (Linux 6.12).
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::from_all(ABI::V6))?
        // TCP came with the fourth version (Linux 6.7).
        .handle_access(AccessNet::from_all(ABI::V4))?
        .create()?;
    let ports = args.connect.into_iter();
    let ports = ports.map(|port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::ConnectTcp)));
    let status = ruleset
        .add_rules(ports)?
        .add_rules(path_beneath_rules(&args.read, AccessFs::from_read(ABI::V3)))?
        .add_rules(path_beneath_rules(&args.write, files))?
        .restrict_self()?;
    seccompiler::apply_filter(&forbidden(args.connect.is_some())?)?;
    // A filter of this crate has one error, and `clone3` needs another one than the rest.
    seccompiler::apply_filter(&unknown()?)?;
    // Landlock does not keep `root` from loading modules, or from reading the variables of others. They
    // do not come back: new privileges are switched off.
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none).map_err(|error| ConfineError::Capabilities(error.into()))?;
    match status.ruleset {
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        RulesetStatus::NotEnforced => Err(ConfineError::Off),
    }
}

/// A filter of system calls that makes no sockets, or only those of TCP: Landlock knows TCP alone, and the sockets of
/// daemons of the machine are a way out. Nor does it type into a terminal, or make a namespace in
/// which it has capabilities.
fn forbidden(network: bool) -> Result<BpfProgram, seccompiler::BackendError> {
    let is = |argument, operator, value: i64| {
        // The kernel takes 32 bits of these arguments: comparing 64 would let a call pass whose upper bits are set.
        let value = value.unsigned_abs();
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
    };
    let rule = |conditions: Vec<Result<SeccompCondition, seccompiler::BackendError>>| {
        SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?)
    };
    let mut sockets = Vec::new();
    let mut fast_open = Vec::new();
    if network {
        // A resolver asks for the machine's addresses by netlink.
        let permitted = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
        let other = permitted.map(|family| is(0, SeccompCmpOp::Ne, family.into()));
        sockets.push(rule(other.into())?);
        let of_internet = || is(0, SeccompCmpOp::Ne, libc::AF_NETLINK.into());
        // All types but SOCK_STREAM; the other bits are flags.
        for kind in [0, 2, 3, 4, 5, 6, 10] {
            let is_kind = is(1, SeccompCmpOp::MaskedEq(0xf), kind);
            sockets.push(rule(vec![of_internet(), is_kind])?);
        }
        // Streams of SCTP, MPTCP and SMC are no TCP, whose ports Landlock knows.
        let others = [0, libc::IPPROTO_TCP].map(|tcp| is(2, SeccompCmpOp::Ne, tcp.into()));
        let others = std::iter::once(of_internet()).chain(others);
        sockets.push(rule(others.collect())?);
        // TCP Fast Open connects without `connect(2)`, where Landlock looks.
        let flag = i64::from(libc::MSG_FASTOPEN);
        for (call, flags) in [
            (libc::SYS_sendto, 3),
            (libc::SYS_sendmsg, 2),
            (libc::SYS_sendmmsg, 3),
        ] {
            let is_open = is(flags, SeccompCmpOp::MaskedEq(flag.unsigned_abs()), flag);
            fast_open.push((call, vec![rule(vec![is_open])?]));
        }
    }
    // A datagram of such a pair can be sent to any socket of the machine, such as that of its log. The other bits of
    // the type are flags (`socket(2)`).
    let kind = SeccompCmpOp::MaskedEq(0xf);
    let datagrams = SeccompRule::new(vec![is(1, kind, libc::SOCK_DGRAM.into())?])?;
    // The terminal's owner would run what is typed so (`ioctl_tty(2)`; TIOCLINUX pastes a selection).
    let typing = [libc::TIOCSTI, libc::TIOCLINUX].map(|request| {
        let request = i64::try_from(request).expect("a request has 16 bits");
        SeccompRule::new(vec![is(1, SeccompCmpOp::Eq, request)?])
    });
    let typing: Vec<SeccompRule> = typing.into_iter().collect::<Result<_, _>>()?;
    // Of `clone` and `unshare`, the flags are the first argument on x86-64 and ARM64.
    let namespaces = SeccompCmpOp::MaskedEq(libc::CLONE_NEWUSER.unsigned_abs().into());
    let namespaces = SeccompRule::new(vec![is(0, namespaces, libc::CLONE_NEWUSER.into())?])?;
    let mut all = vec![
        (libc::SYS_socket, sockets),
        (libc::SYS_socketpair, vec![datagrams]),
        (libc::SYS_ioctl, typing.clone()),
        (libc::SYS_clone, vec![namespaces.clone()]),
        (libc::SYS_unshare, vec![namespaces]),
        // IORING_OP_SOCKET makes sockets without `socket(2)`.
        (libc::SYS_io_uring_setup, Vec::new()),
    ];
    all.extend(fast_open);
    if cfg!(target_arch = "x86_64") {
        // `ioctl` under its number of x32, 514; the others have theirs plus a bit.
        let x32 = |(call, rules): &(i64, Vec<SeccompRule>)| (call | X32, rules.clone());
        all.extend(all.iter().map(x32).collect::<Vec<_>>());
        all.push((0x202 | X32, typing));
    }
    filter(all, libc::EACCES)
}

/// A filter by which the kernel does not know `clone3`, whose flags are in memory that no filter reads: libraries then
/// call `clone`.
fn unknown() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut all = vec![(libc::SYS_clone3, Vec::new())];
    if cfg!(target_arch = "x86_64") {
        all.push((libc::SYS_clone3 | X32, Vec::new()));
    }
    filter(all, libc::ENOSYS)
}

/// The bit of calls by x32 (`__X32_SYSCALL_BIT` of Linux).
const X32: i64 = 0x4000_0000;

/// A filter in which calls that follow one of their rules, or that have none, fail with this error.
fn filter(
    calls: Vec<(i64, Vec<SeccompRule>)>,
    error: i32,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let filter = SeccompFilter::new(
        calls.into_iter().collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(error.unsigned_abs()),
        std::env::consts::ARCH.try_into()?,
    )?;
    filter.try_into()
}
