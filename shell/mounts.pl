# Makes the mounts of a box for box.pl, in namespaces of their own. bubblewrap mounts by name, and whoever may write a folder above
# can put a link in a name's place meanwhile. Here everything is opened once, without following a link, compared with what the plan
# saw (device:inode), and mounted by descriptor. What lies in folders that are covered by then is found in $OUTSIDE.
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

# For a program that comes later. The daemon reads where we are, and sends the mounts of the program's own box. The program reads
# a byte when they are there. The namespaces stay until the daemon closes our input.
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
    syswrite $tell, ".";
    close $tell;
    1 while sysread STDIN, $words, 1;
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
