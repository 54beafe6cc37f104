# Runs a program in a box: box.pl ARCH OPTION... -- WORD... Its mounts are made by mounts.pl, here and now, or ahead of time by a
# process that waits in them (--ahead). The options for mounts are bubblewrap's, as far as we use them. Linux 5.12 and later.
# It loads no module, and mounts.pl only where it is needed, because to read them takes longer than to make the box.
( $arch, @options ) = @ARGV;
( $SYS_CLONE, $SYS_EXIT, $SYS_UNSHARE, $SYS_SETNS, $SYS_MOUNT, $SYS_UMOUNT, $SYS_PRCTL, $SYS_CAPSET, $SYS_PRLIMIT, $SYS_STATX ) =
  $arch eq "arm64" ? ( 220, 94, 97, 268, 40, 39, 167, 91, 261, 291 ) : ( 56, 231, 272, 308, 165, 166, 157, 126, 302, 332 );
# These have the same numbers everywhere.
( $SYS_OPEN_TREE, $SYS_MOVE_MOUNT, $SYS_PIDFD_OPEN, $SYS_CLOSE_RANGE, $SYS_OPENAT2, $SYS_MOUNT_SETATTR ) =
  ( 428, 429, 434, 436, 437, 442 );
( $AT_FDCWD, $AT_EMPTY_PATH, $AT_RECURSIVE ) = ( -100, 0x1000, 0x8000 );
$O_PATH_CLOEXEC = 010000000 | 02000000;
( $RESOLVE_NO_MAGICLINKS, $RESOLVE_NO_SYMLINKS ) = ( 2, 4 );
$OPEN_TREE_CLONE_CLOEXEC = 1 | 02000000;
$MOVE_MOUNT_EMPTY_PATHS  = 0x4 | 0x40;
( $RDONLY, $NOSUID, $NODEV, $NOEXEC ) = ( 1, 2, 4, 8 );    # the same for mount and mount_setattr
$MNT_DETACH = 2;
( $CLONE_NEWUSER, $CLONE_NEWPID, $SIGCHLD ) = ( 0x10000000, 0x20000000, 17 );
# Mounts, cgroups, host name, IPC, users, network. The processes are for every box alone.
$NAMESPACES = 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | $CLONE_NEWUSER | 0x40000000;
( $PDEATHSIG, $DUMPABLE, $SECCOMP, $BOUNDING_DROP, $NO_NEW_PRIVS, $AMBIENT ) = ( 1, 4, 22, 24, 38, 47 );
( $SIGKILL, $SECCOMP_FILTER, $AMBIENT_CLEAR ) = ( 9, 2, 4 );
# Not by its name: perl would load a module for that.
$ECHILD = 10;
# Ctrl+C and a hang-up reach everybody in front. The program decides what they mean; its box must outlive it.
# Nor do we stop: whoever lived on in the box would read what is typed to the shell.
@LEFT_TO_THE_PROGRAM = qw(HUP INT QUIT TERM USR1 USR2 TSTP TTIN TTOU);
( $TCGETS, $TCSETS ) = ( 0x5401, 0x5402 );
# Where the mounts have the disk as it is outside, until the program starts.
$OUTSIDE = "/dev/.outside";
$nothing = "";

# Descriptors that somebody left open stay outside.
close_all();
read_options();
( $uid, $gid ) = ( $>, $) + 0 );
$SIG{$_} = "IGNORE" for @LEFT_TO_THE_PROGRAM;
if ($waits) {
    load("mounts.pl");
    wait_in_mounts();
    exit 0;
}
limit( $_, $limits{$_} ) for keys %limits;
$filter   = filter();
$folder   = readlink "/proc/self/cwd";
$modes    = "\0" x 60;
$modes    = "" if !$is_line || !ioctl( STDIN, $TCGETS, $modes );
$terminal = -t STDOUT ? readlink "/proc/self/fd/1" : "";
# What others see of our two processes, in place of the whole plan and of the environment that we came with.
$0 = "duetty-box";
if ( !@ahead || !joined(@ahead) ) {
    load("mounts.pl");
    new_mounts();
    make_mounts( parsed(@options) );
}
# The daemon may look at us as before.
control( $DUMPABLE, 1 );
my $first = syscall( $SYS_CLONE, $CLONE_NEWPID | $SIGCHLD, 0, 0, 0, 0 );
failed("a process") if $first < 0;
if ( $first == 0 ) {
    finish_box();
    run_program();
}
close_all();
$SIG{TSTP} = sub { end_at_stop($first) }
  if $is_line;
end_as($first);

# Our own come first, then those for mounts.
sub read_options {
    while ( $options[0] =~ /^--(?:line|filter|limit|bridge|ahead|wait)$/ ) {
        my $word = shift @options;
        if    ( $word eq "--line" )   { $is_line     = 1 }
        elsif ( $word eq "--filter" ) { $filter_file = shift @options }
        elsif ( $word eq "--limit" )  { my $limit = shift @options; $limits{$limit} = shift @options }
        elsif ( $word eq "--bridge" ) { ( $port, $path ) = splice @options, 0, 2 }
        elsif ( $word eq "--ahead" )  { @ahead = splice @options, 0, 3 }
        else                          { $waits = 1 }
    }
    my $end = 0;
    $end++ until $end > $#options || $options[$end] eq "--";
    ( undef, @program ) = splice @options, $end;
}

sub load {
    my $file = __FILE__ =~ s{[^/]*$}{$_[0]}r;
    do $file or die "duetty: the box could not be made: $file: $@$!\n";
}

sub filter {
    open( my $file, "<", $filter_file ) or failed("the filter");
    sysread( $file, my $bytes, 1 << 16 ) or failed("the filter");
    return $bytes;
}

# One that is already lower stays as it is.
sub limit {
    my ( $resource, $value ) = @_;
    my $now = pack "Q2", 0, 0;
    syscall( $SYS_PRLIMIT, 0, $resource + 0, 0, $now ) == 0 or failed("a limit");
    my $lower = pack "Q2", map { $_ < $value ? $_ : $value } unpack "Q2", $now;
    syscall( $SYS_PRLIMIT, 0, $resource + 0, $lower, 0 ) == 0 or failed("a limit");
}

# Enters the mounts in which a process waits. False: it is gone, or it could not make them.
sub joined {
    my ( $pid, $namespace, $fd ) = @_;
    my $process = syscall( $SYS_PIDFD_OPEN, $pid + 0, 0 );
    # Its number may be another's by now.
    return 0 if $process < 0 || readlink("/proc/$pid/ns/mnt") ne $namespace;
    # It may be at its last mounts. Whoever comes second gets nothing: a box is for one program.
    open( my $made, "<", "/proc/$pid/fd/$fd" ) or return 0;
    sysread( $made, my $byte, 1 ) or return 0;
    return syscall( $SYS_SETNS, $process, $NAMESPACES ) == 0;
}

# As root of the mounts, in a new namespace of processes.
sub finish_box {
    if ( $terminal =~ m{^/dev/} ) {
        my $console = "/dev/console";
        open my $file, ">>", $console;
        move_tree( tree( open_path( $OUTSIDE . $terminal ), $NOSUID ), open_path($console), $console );
    }
    syscall( $SYS_UMOUNT, $OUTSIDE, $MNT_DETACH ) == 0 && rmdir $OUTSIDE or failed($OUTSIDE);
    my ( $type, $path ) = qw(proc /proc);
    syscall( $SYS_MOUNT, $type, $path, $type, $NOSUID | $NODEV | $NOEXEC, 0 ) == 0 or failed($path);
    my $proc = tree( open_path($path), $NOSUID | $NODEV );
    # The kernel lets a process of root write its settings without any capability. Nobody needs to write the rest.
    set_attributes( $AT_FDCWD, $path, 0, $RDONLY );
    # Another user namespace: nobody in it may change these mounts, whatever it gains.
    syscall( $SYS_UNSHARE, $CLONE_NEWUSER ) == 0 or failed("a user namespace");
    map_user( "/proc/self/fd/$proc", $uid, $gid, 0, 0 );
    # Nobody in the box reads our memory.
    control( $DUMPABLE, 0 );
    chdir $folder or chdir( $ENV{HOME} // "/" ) or chdir "/";
    $ENV{PWD} = readlink "/proc/self/cwd";
    close_all();
}

sub map_user {
    my ( $proc, $uid_inside, $gid_inside, $uid_outside, $gid_outside ) = @_;
    my %maps = ( setgroups => "deny", uid_map => "$uid_inside $uid_outside 1", gid_map => "$gid_inside $gid_outside 1" );
    # The files would be root's.
    control( $DUMPABLE, 1 );
    for my $name (qw(setgroups uid_map gid_map)) {
        open( my $file, ">", "$proc/self/$name" ) or failed($name);
        defined syswrite( $file, $maps{$name} ) or failed($name);
        close $file;
    }
}

# Without following a link anywhere.
sub open_path {
    my ($path) = @_;
    my $how = pack "Q3", $O_PATH_CLOEXEC, 0, $RESOLVE_NO_SYMLINKS | $RESOLVE_NO_MAGICLINKS;
    return syscall( $SYS_OPENAT2, $AT_FDCWD, $path, $how, length $how );
}

# A copy of what is mounted there, with all below it. It is nowhere yet.
sub tree {
    my ( $fd, $attributes ) = @_;
    my $tree = syscall( $SYS_OPEN_TREE, $fd, $nothing, $OPEN_TREE_CLONE_CLOEXEC | $AT_EMPTY_PATH | $AT_RECURSIVE );
    $tree >= 0 or failed("a mount");
    set_attributes( $tree, $nothing, $AT_EMPTY_PATH | $AT_RECURSIVE, $attributes );
    return $tree;
}

sub set_attributes {
    my ( $fd, $path, $flags, $attributes ) = @_;
    my $set = pack "Q4", $attributes, 0, 0, 0;
    syscall( $SYS_MOUNT_SETATTR, $fd, $path, $flags, $set, length $set ) == 0 or failed("mount attributes");
}

sub move_tree {
    my ( $tree, $at, $path ) = @_;
    syscall( $SYS_MOVE_MOUNT, $tree, $nothing, $at, $nothing, $MOVE_MOUNT_EMPTY_PATHS ) == 0 or failed($path);
}

# The first process of the box waits for all others, and ends with the program.
sub run_program {
    drop_rights();
    load("bridge.pl") if $port;
    my $pid = fork;
    defined $pid or failed("a process");
    if ( $pid == 0 ) {
        $SIG{$_} = "DEFAULT" for grep { $SIG{$_} eq "IGNORE" } keys %SIG;
        exec { $program[0] } @program;
        print STDERR "duetty: $program[0]: $!\n";
        exit 127;
    }
    serve() if $port;
    end_as($pid);
}

sub drop_rights {
    for my $capability ( 0 .. 63 ) {
        last if syscall( $SYS_PRCTL, $BOUNDING_DROP, $capability, 0, 0, 0 ) != 0;
    }
    syscall( $SYS_PRCTL, $AMBIENT, $AMBIENT_CLEAR, 0, 0, 0 );
    my ( $version_3, $none ) = ( pack( "L2", 0x20080522, 0 ), pack( "L6", (0) x 6 ) );
    syscall( $SYS_CAPSET, $version_3, $none ) == 0 or failed("capabilities");
    control( $PDEATHSIG,    $SIGKILL );
    control( $NO_NEW_PRIVS, 1 );
    my $program = pack "S x6 P", length($filter) / 8, $filter;
    syscall( $SYS_PRCTL, $SECCOMP, $SECCOMP_FILTER, $program, 0, 0 ) == 0 or failed("the filter");
}

sub control {
    my ( $what, $value ) = @_;
    syscall( $SYS_PRCTL, $what, $value, 0, 0, 0 ) == 0 or failed("prctl $what");
}

# A shell takes the terminal back from a job that stops. Programs of the job may go on all the same, and read it, too.
sub end_at_stop {
    my ($first) = @_;
    local ( $!, $? );
    print STDERR "duetty: a boxed line cannot be stopped and go on later, so it was ended.\n" if kill KILL => $first;
}

# Waits for a process and for whoever has lost its parent. Ends with what a shell would say of it, at once: perl would tidy up first.
sub end_as {
    my ($wanted) = @_;
    my $pid = 0;
    # A signal may come in between. Without children there is nothing to wait for.
    $pid = waitpid -1, 0 until $pid == $wanted || $pid < 0 && $! == $ECHILD;
    # The next program at the terminal is the person's.
    ioctl( STDIN, $TCSETS, $modes ) if $modes;
    syscall( $SYS_EXIT, $? & 127 ? 128 + ( $? & 127 ) : $? >> 8 & 255 );
}

sub close_all { syscall( $SYS_CLOSE_RANGE, 3, 0xffffffff, 0 ) }

sub failed { die "duetty: the box could not be made: $_[0]: $!\n" }
