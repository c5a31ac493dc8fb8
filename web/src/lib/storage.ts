/**
 * What the browser remembers. The names and formats are those every client of this family uses, so a person who
 * changes client on the same address stays logged in.
 */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage can be forbidden (private windows, embedded frames): then nothing is remembered, and nothing breaks.
    return null
  }
}

export function writeStoredText(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // See readText.
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
