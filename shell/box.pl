# Runs a program in a box: box.pl ARCH OPTION... -- WORD... Its mounts are made by mounts.pl, here and now, or ahead of time by a
# process that waits in them (--ahead). The options for mounts are bubblewrap's, as far as we use them. Linux 5.12 and later.
# It loads no module, and mounts.pl only where it is needed, because to read them takes longer than to make the box.
( $arch, @options ) = @ARGV;
( $SYS_EXIT, $SYS_SETNS, $SYS_MOUNT, $SYS_UMOUNT, $SYS_PRCTL, $SYS_CAPSET, $SYS_PRLIMIT ) =
  $arch eq "arm64" ? ( 94, 268, 40, 39, 167, 91, 261 ) : ( 231, 308, 165, 166, 157, 126, 302 );
# These have the same numbers everywhere.
( $SYS_PIDFD_SEND_SIGNAL, $SYS_PIDFD_OPEN, $SYS_CLOSE_RANGE ) = ( 424, 434, 436 );
( $MS_BIND, $MNT_DETACH ) = ( 0x1000, 2 );
( $CLONE_NEWUSER, $CLONE_NEWPID ) = ( 0x10000000, 0x20000000 );
# Mounts, cgroups, host name, IPC, users, network. The processes are for every box alone.
$NAMESPACES = 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | $CLONE_NEWUSER | 0x40000000;
( $PDEATHSIG, $DUMPABLE, $SECCOMP, $BOUNDING_DROP, $NO_NEW_PRIVS, $AMBIENT ) = ( 1, 4, 22, 24, 38, 47 );
( $SIGKILL, $SIGUSR1, $SECCOMP_FILTER, $AMBIENT_CLEAR ) = ( 9, 10, 2, 4 );
# Not by its name: perl would load a module for that.
$ECHILD = 10;
# Ctrl+C and a hang-up reach everybody in front. The program decides what they mean; its box must outlive it.
# Nor do we stop: whoever lived on in the box would read what is typed to the shell.
@LEFT_TO_THE_PROGRAM = qw(HUP INT QUIT TERM USR1 USR2 TSTP TTIN TTOU);
( $TCGETS, $TCSETS ) = ( 0x5401, 0x5402 );
# Where the mounts have the disk as it is outside, until the program starts.
$OUTSIDE = "/dev/.outside";

# Descriptors that somebody left open stay outside.
close_all();
read_options();
( $uid, $gid ) = ( $>, $) + 0 );
$SIG{$_} = "IGNORE" for @LEFT_TO_THE_PROGRAM;
$filter = filter();
if ($waits) {
    load("mounts.pl");
    wait_in_mounts();
    exit 0;
}
limit( $_, $limits{$_} ) for keys %limits;
$folder   = readlink "/proc/self/cwd";
$modes    = "\0" x 60;
$modes    = "" if !$is_line || !ioctl( STDIN, $TCGETS, $modes );
$terminal = -t STDOUT ? readlink "/proc/self/fd/1" : "";
# What others see of us, in place of the whole plan and of the environment that we came with.
$0 = "duetty-box";
( $first, $life, @namespaces ) = joined(@ahead) if @ahead;
if ( !$first ) {
    load("mounts.pl");
    new_mounts();
    make_mounts( parsed(@options) );
    ( $first, $life, @namespaces ) = first_process();
}
$box = syscall( $SYS_PIDFD_OPEN, $first + 0, 0 );
show_terminal();
syscall( $SYS_SETNS, fileno $_, 0 ) == 0 or failed("a namespace") for @namespaces;
drop_rights();
# The daemon may look at us as before.
control( $DUMPABLE, 1 );
load("bridge.pl") if $port;
# Before there is anybody who could stop.
$SIG{TSTP} = \&end_at_stop if $is_line;
$program = fork;
defined $program or failed("a process");
run_program() if $program == 0;
serve()       if $port;
end_with($program);

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

# Enters the mounts in which a process waits. Nothing: it is gone, or it could not make them.
sub joined {
    my ( $pid, $namespace, $fd ) = @_;
    my $process = syscall( $SYS_PIDFD_OPEN, $pid + 0, 0 );
    # Its number may be another's by now.
    return if $process < 0 || readlink("/proc/$pid/ns/mnt") ne $namespace;
    # It may be at its last mounts. Whoever comes second gets nothing: a box is for one program.
    open( my $made, "<", "/proc/$pid/fd/$fd" ) or return;
    sysread( $made, my $said, 64 ) or return;
    my ( $first, $life, @namespaces ) = split " ", $said;
    open( my $held, ">", "/proc/$pid/fd/$life" ) or return;
    my @opened = map { open( my $file, "<", "/proc/$pid/fd/$_" ) or return; $file } @namespaces;
    syscall( $SYS_SETNS, $process, $NAMESPACES ) == 0 or return;
    syscall( $SYS_PIDFD_SEND_SIGNAL, $process, $SIGUSR1, 0, 0 );
    return ( $first, $held, @opened );
}

# As root of the mounts. Nobody else is there yet, so names are as good as descriptors.
sub show_terminal {
    if ( $terminal =~ m{^/dev/} ) {
        my ( $from, $console ) = ( $OUTSIDE . $terminal, "/dev/console" );
        open my $file, ">>", $console;
        syscall( $SYS_MOUNT, $from, $console, 0, $MS_BIND, 0 ) == 0 or failed($console);
    }
    syscall( $SYS_UMOUNT, $OUTSIDE, $MNT_DETACH ) == 0 && rmdir $OUTSIDE or failed($OUTSIDE);
}

sub run_program {
    control( $PDEATHSIG, $SIGKILL );
    chdir $folder or chdir( $ENV{HOME} // "/" ) or chdir "/";
    $ENV{PWD} = readlink "/proc/self/cwd";
    $SIG{$_} = "DEFAULT" for grep { $SIG{$_} eq "IGNORE" } keys %SIG;
    exec { $program[0] } @program;
    print STDERR "duetty: $program[0]: $!\n";
    exit 127;
}

sub drop_rights {
    for my $capability ( 0 .. 63 ) {
        last if syscall( $SYS_PRCTL, $BOUNDING_DROP, $capability, 0, 0, 0 ) != 0;
    }
    syscall( $SYS_PRCTL, $AMBIENT, $AMBIENT_CLEAR, 0, 0, 0 );
    my ( $version_3, $none ) = ( pack( "L2", 0x20080522, 0 ), pack( "L6", (0) x 6 ) );
    syscall( $SYS_CAPSET, $version_3, $none ) == 0 or failed("capabilities");
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
    local ( $!, $? );
    end_box() == 0 and print STDERR "duetty: a boxed line cannot be stopped and go on later, so it was ended.\n";
}

# Waits for the program, ends its box, and ends with what a shell would say of it, at once: perl would tidy up first.
sub end_with {
    my ($wanted) = @_;
    my $pid = 0;
    # A signal may come in between. Without children there is nothing to wait for.
    $pid = waitpid -1, 0 until $pid == $wanted || $pid < 0 && $! == $ECHILD;
    my $code = $? & 127 ? 128 + ( $? & 127 ) : $? >> 8 & 255;
    end_box();
    # Nobody of the box is left when the first process is gone. It waits until we know of the bridge's end, which is our child, too.
    $pid = waitpid -1, 0 until $pid < 0 && $! == $ECHILD;
    vec( my $ended = "", $box, 1 ) = 1;
    1 while select( my $now = $ended, undef, undef, undef ) < 0;
    # The next program at the terminal is the person's.
    ioctl( STDIN, $TCSETS, $modes ) if $modes;
    syscall( $SYS_EXIT, $code );
}

sub end_box { return syscall( $SYS_PIDFD_SEND_SIGNAL, $box, $SIGKILL, 0, 0 ) }

sub close_all { syscall( $SYS_CLOSE_RANGE, 3, 0xffffffff, 0 ) }

sub failed { die "duetty: the box could not be made: $_[0]: $!\n" }
