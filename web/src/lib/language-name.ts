/** A language's name in the reader's language; an unknown code stays as it is. */
export function displayLanguageName(code: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}
