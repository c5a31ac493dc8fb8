/**
 * Browser storage. It uses the key names and formats of existing clients, so that a user who changes the client on the
 * same origin stays logged in.
 */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage may be forbidden (private windows, embedded frames). In that case nothing is stored, and nothing fails.
    return null
  }
}

export function writeStoredText(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Storage may be forbidden, see `readStoredText`.
  }
}

export function removeStored(...keys: string[]): void {
  for (const key of keys) {
    try {
      localStorage.removeItem(key)
    } catch {
      return
    }
  }
}

export function readStoredJson<T>(key: string, otherwise: T): T {
  const text = readStoredText(key)
  if (text === null) return otherwise
  try {
    return JSON.parse(text) as T
  } catch {
    return otherwise
  }
}

export const writeStoredJson = (key: string, value: unknown): void => writeStoredText(key, JSON.stringify(value))

export const readToken = (): string | null => readStoredJson<string | null>('token', null)
