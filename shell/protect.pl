# Protects paths in a box that runs already: protect.pl PID WORD... PID is any process of the box. A file that was replaced has
# lost its mount. rPATH: it becomes read-only, a link itself and not what it leads to. hPATH: it becomes empty. Linux 5.12 and later.
use strict;
use warnings;
use Config;

my ( $pid, @words ) = @ARGV;
my $NS_GET_USERNS = 0xb701;
my ( $SYS_SETNS, $SYS_MOUNT ) = $Config{archname} =~ /^aarch64/ ? ( 268, 40 ) : ( 308, 165 );
# These have the same numbers everywhere.
my ( $SYS_OPEN_TREE, $SYS_MOVE_MOUNT, $SYS_MOUNT_SETATTR ) = ( 428, 429, 442 );
my $OPEN_TREE_CLONE_CLOEXEC_NOFOLLOW = 1 | 0x80000 | 0x100;
my ( $AT_FDCWD, $AT_EMPTY_PATH, $MOVE_MOUNT_F_EMPTY_PATH ) = ( -100, 0x1000, 4 );
my ( $NOSUID, $NODEV ) = ( 2, 4 );
my ( $nothing, $read_only ) = ( "", pack( "Q4", 1, 0, 0, 0 ) );

# Whoever owns the namespace in which the mounts were made may change them.
open( my $mounts, "<", "/proc/$pid/ns/mnt" ) or die "the box is gone: $!\n";
my $owner = ioctl( $mounts, $NS_GET_USERNS, 0 ) or die "no owner: $!\n";
for my $namespace ( $owner + 0, fileno($mounts) ) {
    syscall( $SYS_SETNS, $namespace, 0 ) == 0 or die "cannot enter the box: $!\n";
}
for my $word (@words) {
    my ( $how, $path ) = $word =~ /^(.)(.*)$/s;
    if ( $how eq "h" && -d $path ) { cover_folder($path) }
    else                           { cover( $how eq "h" ? "/dev/null" : $path, $path ) }
}

sub cover {
    my ( $from, $path ) = @_;
    my $tree = syscall( $SYS_OPEN_TREE, $AT_FDCWD, $from, $OPEN_TREE_CLONE_CLOEXEC_NOFOLLOW );
    # It is gone again.
    return if $tree < 0 && $!{ENOENT};
    die "$path: $!\n" if $tree < 0;
    syscall( $SYS_MOUNT_SETATTR, $tree, $nothing, $AT_EMPTY_PATH, $read_only, 32 ) == 0 or die "$path: $!\n";
    syscall( $SYS_MOVE_MOUNT, $tree, $nothing, $AT_FDCWD, $path, $MOVE_MOUNT_F_EMPTY_PATH ) == 0 or $!{ENOENT} or die "$path: $!\n";
}

sub cover_folder {
    my ($path) = @_;
    my ( $type, $options ) = qw(tmpfs mode=0755);
    syscall( $SYS_MOUNT, $type, $path, $type, $NOSUID | $NODEV, $options ) == 0 or $!{ENOENT} or die "$path: $!\n";
}
