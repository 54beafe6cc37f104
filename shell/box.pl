# Makes a box: box.pl ARCH OPTION... -- WORD... The options are bubblewrap's, as far as we use them, and some of our own.
# bubblewrap mounts by name, and whoever may write a folder above can put a link in a name's place meanwhile. Here everything is
# opened once, without following a link, compared with what the plan saw (device:inode), and mounted by descriptor. Linux 5.12 and
# later. It loads no module, because that takes longer than to make the box.
my ( $arch, @options ) = @ARGV;
my ( $SYS_CLONE, $SYS_UNSHARE, $SYS_MOUNT, $SYS_PRCTL, $SYS_CAPSET, $SYS_PRLIMIT ) =
  $arch eq "arm64" ? ( 220, 97, 40, 167, 91, 261 ) : ( 56, 272, 165, 157, 126, 302 );
# These have the same numbers everywhere.
my ( $SYS_OPEN_TREE, $SYS_MOVE_MOUNT, $SYS_CLOSE_RANGE, $SYS_OPENAT2, $SYS_MOUNT_SETATTR ) = ( 428, 429, 436, 437, 442 );
my ( $AT_FDCWD, $AT_EMPTY_PATH, $AT_RECURSIVE ) = ( -100, 0x1000, 0x8000 );
my $O_PATH_CLOEXEC = 010000000 | 02000000;
my ( $RESOLVE_NO_MAGICLINKS, $RESOLVE_NO_SYMLINKS ) = ( 2, 4 );
my $OPEN_TREE_CLONE_CLOEXEC = 1 | 02000000;
my $MOVE_MOUNT_EMPTY_PATHS = 0x4 | 0x40;
my ( $RDONLY, $NOSUID, $NODEV, $NOEXEC ) = ( 1, 2, 4, 8 );    # the same for mount and mount_setattr
my ( $MS_REC, $MS_PRIVATE ) = ( 0x4000, 0x40000 );
my $CLONE_NEWUSER = 0x10000000;
# Mounts, cgroups, host name, IPC, users, processes, network; and SIGCHLD.
my $ALL_NEW = 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | $CLONE_NEWUSER | 0x20000000 | 0x40000000 | 17;
my ( $PDEATHSIG, $DUMPABLE, $SECCOMP, $BOUNDING_DROP, $NO_NEW_PRIVS, $AMBIENT ) = ( 1, 4, 22, 24, 38, 47 );
my ( $SIGKILL, $SECCOMP_FILTER, $AMBIENT_CLEAR ) = ( 9, 2, 4 );
# Not by its name: perl would load a module for that.
my $ECHILD = 10;
# Ctrl+C and a hang-up reach everybody in front. The program decides what they mean; its box must outlive it.
my @LEFT_TO_THE_PROGRAM = qw(HUP INT QUIT TERM USR1 USR2);
my @DEVICES             = qw(null zero full random urandom tty);
my ( $nothing, $top ) = ( "", "/" );

my ( @mounts, %limits, $filter_file, @program );
# Descriptors that somebody left open stay outside.
close_all();
read_options();
limit( $_, $limits{$_} ) for keys %limits;
my $filter = filter();
my ( $uid, $gid, $folder ) = ( $>, $) + 0, readlink "/proc/self/cwd" );
my $terminal = -t STDOUT ? readlink "/proc/self/fd/1" : undef;
$SIG{$_} = "IGNORE" for @LEFT_TO_THE_PROGRAM;
# What others see of our two processes, in place of the whole plan and of the environment that we came with.
$0 = "duetty-box";

my $first = syscall( $SYS_CLONE, $ALL_NEW, 0, 0, 0, 0 );
failed("a new namespace") if $first < 0;
if ( $first == 0 ) {
    make_box();
    run_program();
}
close_all();
exit ended($first);

sub read_options {
    while ( defined( my $word = shift @options ) ) {
        if    ( $word eq "--" )           { @program     = @options; last }
        elsif ( $word eq "--filter" )     { $filter_file = shift @options }
        elsif ( $word eq "--limit" )      { my $limit = shift @options; $limits{$limit} = shift @options }
        elsif ( $word eq "--tmpfs" )      { push @mounts, { is => "tmpfs", path => shift @options, mode => "0755" } }
        elsif ( $word eq "--dev" )        { push @mounts, { is => "dev",   path => shift @options } }
        elsif ( $word eq "--proc" )       { push @mounts, { is => "proc",  path => shift @options } }
        elsif ( $word eq "--remount-ro" ) { push @mounts, { is => "ro",    path => shift @options } }
        elsif ( $word eq "--perms" ) {
            my ( $mode, undef, $path ) = splice @options, 0, 3;
            push @mounts, { is => "tmpfs", path => $path, mode => $mode };
        }
        elsif ( $word =~ /^--(ro-)?bind(-planned)?$/ ) {
            my %bind = ( is => "bind", attributes => ( $1 ? $RDONLY : 0 ) | $NOSUID | $NODEV );
            $bind{planned} = shift @options if $2;
            @bind{qw(from path)} = splice @options, 0, 2;
            # The whole tree is there already, and becomes read-only.
            push @mounts, \%bind if $bind{path} ne "/";
        }
        elsif ( $word eq "--cap-drop" ) { shift @options }
        elsif ( $word !~ /^--(unshare-|die-with-parent$)/ ) { die "duetty: the box knows no $word\n" }
    }
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

# In the new namespaces, as their root.
sub make_box {
    map_user( "/proc", 0, 0, $uid, $gid );
    syscall( $SYS_MOUNT, $nothing, $top, 0, $MS_REC | $MS_PRIVATE, 0 ) == 0 or failed("private mounts");
    # What lies in folders that will be covered is taken before.
    $_->{tree} = planned_tree($_) for grep { $_->{is} eq "bind" } @mounts;
    my %devices = map { $_ => tree( open_path("/dev/$_"), $NOSUID ) } @DEVICES;
    $devices{console} = tree( open_path($terminal), $NOSUID ) if defined $terminal && $terminal =~ m{^/dev/};
    my $proc = tree( open_path("/proc"), $NOSUID | $NODEV );
    set_attributes( $AT_FDCWD, "/", $AT_RECURSIVE, $RDONLY | $NOSUID | $NODEV );
    for my $mount (@mounts) {
        my ( $is, $path ) = @$mount{qw(is path)};
        if    ( $is eq "bind" )  { attach( $mount->{tree}, $path, $mount->{planned} ) }
        elsif ( $is eq "tmpfs" ) { mount_new( "tmpfs", $path, $NOSUID | $NODEV, "mode=$mount->{mode}" ) }
        elsif ( $is eq "proc" )  { mount_new( "proc", $path, $NOSUID | $NODEV | $NOEXEC, "" ) }
        elsif ( $is eq "dev" )   { mount_devices( $path, %devices ) }
        else                     { set_attributes( $AT_FDCWD, $path, 0, $RDONLY ) }
    }
    network_up();
    # Another user namespace: nobody in it may change these mounts, whatever it gains.
    syscall( $SYS_UNSHARE, $CLONE_NEWUSER ) == 0 or failed("a user namespace");
    control( $DUMPABLE, 1 );
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
    for my $name (qw(setgroups uid_map gid_map)) {
        open( my $file, ">", "$proc/self/$name" ) or failed($name);
        defined syswrite( $file, $maps{$name} ) or failed($name);
        close $file;
    }
}

# What the plan saw, or nothing.
sub planned_tree {
    my ($bind) = @_;
    my $fd = open_path( $bind->{from} );
    $fd >= 0 or failed( $bind->{from} );
    die "duetty: $bind->{path} was replaced while its box began\n"
      if defined $bind->{planned} && identity("/proc/self/fd/$fd") ne $bind->{planned};
    return tree( $fd, $bind->{attributes} );
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

# What is there must be what the plan saw, too: something else could be moved away again, and the mount with it.
sub attach {
    my ( $tree, $path, $planned ) = @_;
    my $at = open_path($path);
    die "duetty: $path was replaced while its box began\n"
      if $at >= 0 && defined $planned && identity("/proc/self/fd/$at") ne $planned;
    $at = place( $path, -d "/proc/self/fd/$tree" ) if $at < 0;
    syscall( $SYS_MOVE_MOUNT, $tree, $nothing, $at, $nothing, $MOVE_MOUNT_EMPTY_PATHS ) == 0 or failed($path);
}

# Where to mount. What is missing is made, in a folder of the box's own.
sub place {
    my ( $path, $is_folder ) = @_;
    my $at = open_path($path);
    return $at if $at >= 0;
    my $above = $path =~ s{/[^/]*$}{}r;
    place( $above, 1 ) if $above ne "";
    if   ($is_folder) { mkdir $path, 0755 }
    else              { open my $file, ">>", $path }
    $at = open_path($path);
    $at >= 0 or failed($path);
    return $at;
}

sub mount_new {
    my ( $type, $path, $flags, $data ) = @_;
    my $at = place( $path, 1 );
    syscall( $SYS_MOUNT, $type, "/proc/self/fd/$at", $type, $flags, $data ) == 0 or failed("$type on $path");
}

sub mount_devices {
    my ( $path, %devices ) = @_;
    mount_new( "tmpfs", $path, $NOSUID, "mode=0755" );
    mkdir "$path/$_", 0755 for qw(pts shm);
    attach( $devices{$_}, "$path/$_" ) for keys %devices;
    my %links = ( stdin => "/proc/self/fd/0", stdout => "/proc/self/fd/1", stderr => "/proc/self/fd/2", fd => "/proc/self/fd", core => "/proc/kcore", ptmx => "pts/ptmx" );
    symlink $links{$_}, "$path/$_" for keys %links;
    mount_new( "devpts", "$path/pts", $NOSUID | $NOEXEC, "newinstance,ptmxmode=0666,mode=620" );
}

# Loopback.
sub network_up {
    my ( $AF_INET, $SOCK_DGRAM, $SIOCSIFFLAGS, $UP_RUNNING ) = ( 2, 2, 0x8914, 0x1 | 0x40 );
    socket( my $socket, $AF_INET, $SOCK_DGRAM, 0 ) or failed("a socket");
    my $request = pack "a16 s x22", "lo", $UP_RUNNING;
    ioctl( $socket, $SIOCSIFFLAGS, $request ) or failed("loopback");
}

# The first process of the box waits for all others, and ends with the program.
sub run_program {
    drop_rights();
    my $pid = fork;
    defined $pid or failed("a process");
    if ( $pid == 0 ) {
        $SIG{$_} = "DEFAULT" for grep { $SIG{$_} eq "IGNORE" } keys %SIG;
        exec { $program[0] } @program;
        print STDERR "duetty: $program[0]: $!\n";
        exit 127;
    }
    exit ended($pid);
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

# Waits for a process and for whoever has lost its parent. Answers what a shell would say of it.
sub ended {
    my ($wanted) = @_;
    my $pid = 0;
    # A signal may come in between.
    $pid = waitpid -1, 0 until $pid == $wanted || $pid < 0 && $! == $ECHILD;
    return $? & 127 ? 128 + ( $? & 127 ) : $? >> 8;
}

sub identity { return join ":", ( stat $_[0] )[ 0, 1 ] }

sub close_all { syscall( $SYS_CLOSE_RANGE, 3, 0xffffffff, 0 ) }

sub failed { die "duetty: the box could not be made: $_[0]: $!\n" }
