/** Reads server-sent events out of pieces that end anywhere, in the middle of a letter too. */
export function makeEventReader(onEvent: (data: string) => void) {
  const letters = new TextDecoder()
  let rest = ''
  let data: string[] = []

  function line(text: string): void {
    if (text === '') {
      if (data.length) onEvent(data.join('\n'))
      data = []
    } else if (text.startsWith('data:')) data.push(text.slice(text[5] === ' ' ? 6 : 5))
  }
  /** A return at the very end waits: the other half of the line's end may be on its way. */
  function take(text: string): void {
    rest += text
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const one of lines) line(one)
  }
  return {
    add: (piece: Buffer): void => take(letters.decode(piece, { stream: true })),
    /** What is there when it ends counts, without the empty line that should follow it too. */
    end(): void {
      take(letters.decode())
      line(rest.replace(/\r$/, ''))
      rest = ''
      line('')
    },
  }
}
