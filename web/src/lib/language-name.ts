/** A language in the words of who reads; a code that nobody knows stays as it is. */
export function displayLanguageName(code: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}
