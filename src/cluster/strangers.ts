const TLS_HANDSHAKE = 0x16;
const TLS_MAJOR = 3;

/** What the first bytes of a connection are, where it is well known and not Kafka; null if it is not known. */
export function whatSpeaks(bytes: Uint8Array): string | null {
  if (bytes[0] === TLS_HANDSHAKE && bytes[1] === TLS_MAJOR) {
    return 'this is TLS, and brokers here speak in plain text (security.protocol=PLAINTEXT)';
  }
  const text = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (/^(GET|HEAD|POST|PUT|DELETE|OPTIONS|CONNECT|PATCH|TRACE|PRI) /.test(text)) return 'this is HTTP, not Kafka';
  return /^SSH-/.test(text) ? 'this is SSH, not Kafka' : null;
}
