import { type AuthenticationCreds, BufferJSON, initAuthCreds } from 'baileys'
import type { Log } from '../../../kernel/log.ts'
import type { KeyRows } from './key-rows.ts'

const credentialsKey = { type: 'creds', id: '' }

/** The device that this line is to WhatsApp. Nothing is kept of one that no phone has accepted. */
export const isDeviceLinked = (creds: AuthenticationCreds): boolean => Boolean(creds.account)

export async function loadCredentials(rows: KeyRows): Promise<AuthenticationCreds> {
  const [kept] = await rows.read(credentialsKey.type, [credentialsKey.id])
  return kept?.value ? JSON.parse(kept.value, BufferJSON.reviver) : initAuthCreds()
}

/**
 * Writes them when they change: one at a time, and what changed meanwhile in one go after it. `written` resolves when
 * what is known now is safe.
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
    renew(update: Partial<AuthenticationCreds>): void {
      Object.assign(creds, update)
      if (!isDeviceLinked(creds)) return
      changed = true
      writing ??= write()
        .catch((err) => {
          changed = true
          log.warn({ err }, 'the credentials of a line were not written; the next change writes them')
        })
        .finally(() => {
          writing = null
        })
    },
    async written(): Promise<void> {
      await writing
      if (changed) await write()
    },
  }
}
