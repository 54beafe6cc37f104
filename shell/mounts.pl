# Makes the mounts of a box for box.pl, in namespaces of their own. bubblewrap mounts by name, and whoever may write a folder above
# can put a link in a name's place meanwhile. Here everything is opened once, without following a link, compared with what the plan
# saw (device:inode), and mounted by descriptor. What lies in folders that are covered by then is found in $OUTSIDE.
( $SYS_CLONE, $SYS_UNSHARE, $SYS_STATX ) = $arch eq "arm64" ? ( 220, 97, 291 ) : ( 56, 272, 332 );
# These have the same numbers everywhere.
( $SYS_OPEN_TREE, $SYS_MOVE_MOUNT, $SYS_OPENAT2, $SYS_MOUNT_SETATTR ) = ( 428, 429, 437, 442 );
( $AT_FDCWD, $AT_EMPTY_PATH, $AT_RECURSIVE ) = ( -100, 0x1000, 0x8000 );
$O_PATH_CLOEXEC = 010000000 | 02000000;
( $RESOLVE_NO_MAGICLINKS, $RESOLVE_NO_SYMLINKS ) = ( 2, 4 );
$OPEN_TREE_CLONE_CLOEXEC = 1 | 02000000;
$MOVE_MOUNT_EMPTY_PATHS  = 0x4 | 0x40;
( $RDONLY, $NOSUID, $NODEV, $NOEXEC ) = ( 1, 2, 4, 8 );    # the same for mount and mount_setattr
$SIGCHLD = 17;
$nothing = "";
( $MS_REC, $MS_PRIVATE ) = ( 0x4000, 0x40000 );
( $AT_SYMLINK_NOFOLLOW, $STATX_ATTR_MOUNT_ROOT ) = ( 0x100, 0x2000 );
@DEVICES = qw(null zero full random urandom tty);

# Namespaces in which everything is read-only, with devices and a loopback of their own.
sub new_mounts {
    syscall( $SYS_UNSHARE, $NAMESPACES ) == 0 or failed("a new namespace");
    map_user( "/proc", 0, 0, $uid, $gid );
    my $top = "/";
    syscall( $SYS_MOUNT, $nothing, $top, 0, $MS_REC | $MS_PRIVATE, 0 ) == 0 or failed("private mounts");
    my $outside = tree( open_path($top), 0 );
    my %devices = map { $_ => tree( open_path("/dev/$_"), $NOSUID ) } @DEVICES;
    set_attributes( $AT_FDCWD, $top, $AT_RECURSIVE, $RDONLY | $NOSUID | $NODEV );
    mount_new( "tmpfs", "/dev", $NOSUID, "mode=0755" );
    mkdir "/dev/$_", 0755 for qw(pts shm);
    attach( $devices{$_}, "/dev/$_" ) for keys %devices;
    my %links = ( stdin => "/proc/self/fd/0", stdout => "/proc/self/fd/1", stderr => "/proc/self/fd/2", fd => "/proc/self/fd", core => "/proc/kcore", ptmx => "pts/ptmx" );
    symlink $links{$_}, "/dev/$_" for keys %links;
    mount_new( "devpts", "/dev/pts", $NOSUID | $NOEXEC, "newinstance,ptmxmode=0666,mode=620" );
    mkdir $OUTSIDE, 0700;
    attach( $outside, $OUTSIDE );
    network_up();
}

sub parsed {
    my @words = @_;
    my @mounts;
    while ( defined( my $word = shift @words ) ) {
        if ( $word eq "--tmpfs" ) { push @mounts, { path => shift @words, mode => "0755" } }
        elsif ( $word eq "--perms" ) {
            my ( $mode, undef, $path ) = splice @words, 0, 3;
            push @mounts, { path => $path, mode => $mode };
        }
        elsif ( $word =~ /^--(ro-)?bind(-planned)?$/ ) {
            my %bind = ( attributes => ( $1 ? $RDONLY : 0 ) | $NOSUID | $NODEV );
            $bind{planned} = shift @words if $2;
            @bind{qw(from path)} = splice @words, 0, 2;
            push @mounts, \%bind;
        }
        else { die "duetty: the box knows no $word\n" }
    }
    return @mounts;
}

sub make_mounts {
    for my $mount (@_) {
        if ( $mount->{mode} ) { mount_new( "tmpfs", $mount->{path}, $NOSUID | $NODEV, "mode=$mount->{mode}" ) }
        else                  { attach( planned_tree($mount), $mount->{path}, $mount->{planned} ) }
    }
}

# For a program that comes later. The daemon reads where we are, and sends the mounts of the program's own box. When they are there
# the program reads where the rest is, and takes the first process over. The namespaces stay until the daemon closes our input.
sub wait_in_mounts {
    my @first = parsed(@options);
    new_mounts();
    make_mounts(@first);
    pipe my $made, my $tell or failed("a pipe");
    syswrite STDOUT, readlink("/proc/self/ns/mnt") . " " . fileno($made) . "\n";
    my $words = "";
    # Each ends with \0, and all of them with another.
    until ( $words =~ /(?:^|\0)\0\z/ ) { sysread STDIN, $words, 1 << 16, length $words or exit 0 }
    # A mount goes with the file that it lies on.
    is_mounted( $_->{path} ) or die "duetty: $_->{path} is no longer covered\n" for @first;
    make_mounts( parsed( split /\0/, $words ) );
    my ( $first, $life, @namespaces ) = first_process();
    $SIG{USR1} = sub { close $life };
    syswrite $tell, join " ", $first, map { fileno $_ } $life, @namespaces;
    close $tell;
    my $read;
    # A signal may come in between.
    $read = sysread STDIN, $words, 1 until defined $read && $read == 0;
    close $life;
    waitpid $first, 0;
}

# The first process of a box, which takes all others along when it ends: when nobody holds $life any more. Also returns its
# namespaces of processes and of users.
sub first_process {
    pipe my $alive, my $life or failed("a pipe");
    pipe my $ready, my $tell or failed("a pipe");
    my $pid = syscall( $SYS_CLONE, $CLONE_NEWPID | $SIGCHLD, 0, 0, 0, 0 );
    failed("a process") if $pid < 0;
    if ( $pid == 0 ) {
        close $_ for $life, $ready;
        own_processes();
        syswrite $tell, ".";
        sysread $alive, my $byte, 1;
        drop_rights();
        # Nobody in the box changes what we do.
        control( $DUMPABLE, 0 );
        # Whoever has lost its parent is ours, and nobody asks how it ended.
        $SIG{CHLD} = "IGNORE";
        syscall( $SYS_CLOSE_RANGE, @$_, 0 ) for [ 0, fileno($alive) - 1 ], [ fileno($alive) + 1, 0xffffffff ];
        1 while sysread $alive, $byte, 1;
        syscall( $SYS_EXIT, 0 );
    }
    close $_ for $alive, $tell;
    sysread $ready, my $byte, 1 or failed("the first process");
    my @namespaces = map { open( my $file, "<", "$OUTSIDE/proc/$pid/ns/$_" ) or failed("a namespace"); $file } qw(pid user);
    syswrite $life, ".";
    1 while sysread $ready, $byte, 1;
    return ( $pid, $life, @namespaces );
}

# As root of the mounts, in a new namespace of processes.
sub own_processes {
    my ( $type, $path ) = qw(proc /proc);
    syscall( $SYS_MOUNT, $type, $path, $type, $NOSUID | $NODEV | $NOEXEC, 0 ) == 0 or failed($path);
    my $proc = tree( open_path($path), $NOSUID | $NODEV );
    # The kernel lets a process of root write its settings without any capability. Nobody needs to write the rest.
    set_attributes( $AT_FDCWD, $path, 0, $RDONLY );
    # Another user namespace: nobody in it may change these mounts, whatever it gains.
    syscall( $SYS_UNSHARE, $CLONE_NEWUSER ) == 0 or failed("a user namespace");
    map_user( "/proc/self/fd/$proc", $uid, $gid, 0, 0 );
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

sub is_mounted {
    my ($path) = @_;
    my $stat = "\0" x 256;
    return syscall( $SYS_STATX, $AT_FDCWD, $path, $AT_SYMLINK_NOFOLLOW, 0, $stat ) == 0
      && unpack( "x8 Q", $stat ) & $STATX_ATTR_MOUNT_ROOT;
}

# What the plan saw, or nothing.
sub planned_tree {
    my ($bind) = @_;
    my $fd = open_path( $OUTSIDE . $bind->{from} );
    $fd >= 0 or failed( $bind->{from} );
    die "duetty: $bind->{path} was replaced while its box began\n"
      if defined $bind->{planned} && identity("/proc/self/fd/$fd") ne $bind->{planned};
    return tree( $fd, $bind->{attributes} );
}

# What is there must be what the plan saw, too: something else could be moved away again, and the mount with it.
sub attach {
    my ( $tree, $path, $planned ) = @_;
    my $at = open_path($path);
    die "duetty: $path was replaced while its box began\n"
      if $at >= 0 && defined $planned && identity("/proc/self/fd/$at") ne $planned;
    $at = place( $path, -d "/proc/self/fd/$tree" ) if $at < 0;
    move_tree( $tree, $at, $path );
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

sub identity { return join ":", ( stat $_[0] )[ 0, 1 ] }

# Loopback.
sub network_up {
    my ( $AF_INET, $SOCK_DGRAM, $SIOCSIFFLAGS, $UP_RUNNING ) = ( 2, 2, 0x8914, 0x1 | 0x40 );
    socket( my $socket, $AF_INET, $SOCK_DGRAM, 0 ) or failed("a socket");
    my $request = pack "a16 s x22", "lo", $UP_RUNNING;
    ioctl( $socket, $SIOCSIFFLAGS, $request ) or failed("loopback");
}

1;
