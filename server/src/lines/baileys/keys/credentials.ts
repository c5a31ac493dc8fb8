import { type AuthenticationCreds, BufferJSON, initAuthCreds } from 'baileys'
import type { Log } from '../../../kernel/log.ts'
import type { KeyRows } from './key-rows.ts'

const credentialsKey = { type: 'creds', id: '' }

/** Whether a phone has accepted this device. Until then nothing is stored. */
export const isDeviceLinked = (creds: AuthenticationCreds): boolean => Boolean(creds.account)

export async function loadCredentials(rows: KeyRows): Promise<AuthenticationCreds> {
  const [stored] = await rows.read(credentialsKey.type, [credentialsKey.id])
  return stored?.value ? JSON.parse(stored.value, BufferJSON.reviver) : initAuthCreds()
}

/**
 * Writes credentials when they change: one write at a time; changes during a write are written together after it.
 * `written` resolves when the current state is stored.
 */
export function makeCredentialWriter(rows: KeyRows, creds: AuthenticationCreds, log: Log) {
  let changed = false
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    while (changed) {
      changed = false
      await rows.write([{ ...credentialsKey, value: JSON.stringify(creds, BufferJSON.replacer) }])
    }
  }
  return {
    update(update: Partial<AuthenticationCreds>): void {
      Object.assign(creds, update)
      if (!isDeviceLinked(creds)) return
      changed = true
      writing ??= write()
        .catch((err) => {
          changed = true
          log.warn({ err }, 'could not store the credentials of a line; the next change stores them')
        })
        .finally(() => {
          writing = null
        })
    },
    async whenWritten(): Promise<void> {
      await writing
      if (changed) await write()
    },
  }
}
