/**
 * What the browser remembers. The names and formats are those every client of this family uses, so a person who
 * changes client on the same address stays logged in.
 */
export function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage can be forbidden (private windows, embedded frames): then nothing is remembered, and nothing breaks.
    return null
  }
}

export function writeText(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // See readText.
  }
}

export function forget(...keys: string[]): void {
  for (const key of keys) {
    try {
      localStorage.removeItem(key)
    } catch {
      return
    }
  }
}

export function readJson<T>(key: string, otherwise: T): T {
  const text = readText(key)
  if (text === null) return otherwise
  try {
    return JSON.parse(text) as T
  } catch {
    return otherwise
  }
}

export const writeJson = (key: string, value: unknown): void => writeText(key, JSON.stringify(value))

export const readToken = (): string | null => readJson<string | null>('token', null)
