/**
 * libsignal 6.0.0 prints whole sessions, including private keys, whenever a session is closed or replaced. Import this
 * file first in a test to keep them out of the logs.
 */
const SUPPRESSED_PREFIXES = [
  'Closing session',
  'Opening session',
  'Removing old closed session',
  'Session already',
  'Closing open session',
  'Decrypted message with closed session',
  'Migrating session',
  'Failed to decrypt message with any known session',
  'Session error',
]

for (const level of ['info', 'warn', 'error'] as const) {
  const original = console[level].bind(console)
  console[level] = (...args: unknown[]) => {
    const [first] = args
    if (typeof first === 'string' && SUPPRESSED_PREFIXES.some((prefix) => first.startsWith(prefix))) return
    original(...args)
  }
}
