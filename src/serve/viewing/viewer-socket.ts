// The socket of one viewer.

/** A WebSocket, or one end of a pair in this process. */
export interface ViewerSocket {
  readonly isOpen: boolean;
  /** What was sent and has not left. */
  readonly bufferedAmount: number;
  /** `left`: called when it left this process, or never will. */
  send(data: Uint8Array | string, left?: () => void): void;
  close(code: number, reason?: string): void;
  /** Cuts it off. */
  terminate(): void;
  /** Undefined: what it still sends reaches nobody. */
  onMessage(run: ((data: Buffer, binary: boolean) => void) | undefined): void;
  /** Each of these is called once. */
  onClose(run: () => void): void;
}
