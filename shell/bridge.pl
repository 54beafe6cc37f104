# Inside a box: listens on 127.0.0.1:PORT, and serves in the background whoever connects (pairs.pl). Part of box.pl, whose program
# starts between the two; or bridge.pl PORT PATH ARCH, which returns as soon as it listens. Linux only. The program waits for us, so
# no module is loaded: Socket.pm takes 12 ms, warnings.pm 2 and strict.pm 1. The numbers are Linux's.
( $port, $path, $arch ) = @ARGV if !caller;
( $AF_INET, $SOCK_STREAM, $SOL_SOCKET, $SO_REUSEADDR ) = ( 2, 1, 1, 2 );
$SYS_SETSID = $arch eq "arm64" ? 157 : 112;

socket( $server, $AF_INET, $SOCK_STREAM, 0 ) or no_bridge();
setsockopt( $server, $SOL_SOCKET, $SO_REUSEADDR, 1 );
bind( $server, pack( "S n C4 x8", $AF_INET, $port, 127, 0, 0, 1 ) ) or no_bridge();
listen( $server, 128 ) or no_bridge();
serve() if !caller;

# In a process of its own.
sub serve {
    my $child = fork;
    defined $child or no_bridge();
    close $server if $child;
    return        if $child;

    # No terminal, so that neither Ctrl+C nor its end reaches us, and nobody waits for our descriptors.
    syscall($SYS_SETSID);
    chdir "/";
    open( STDIN,  "<",  "/dev/null" );
    open( STDOUT, ">",  "/dev/null" );
    open( STDERR, ">&", \*STDOUT );
    $0 = "duetty-bridge";
    $SIG{PIPE} = "IGNORE";
    do( __FILE__ =~ s{[^/]*$}{pairs.pl}r );
    exit 1;
}

sub no_bridge { die "duetty: no bridge to the network: $!\n" }

1;
