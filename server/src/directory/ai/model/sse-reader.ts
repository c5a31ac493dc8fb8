import { ModelFailure } from './model-failure.ts'

/** Maximum length of an event: an event contains a word or two with its envelope. */
const maxEventLength = 64 * 1024

/**
 * Reads server-sent events from chunks that end anywhere, also inside a character. Each character is examined once,
 * however small the chunks are. Throws where an event does not end.
 */
export function makeSseReader(onEvent: (data: string) => void) {
  const letters = new TextDecoder()
  /** The unfinished row of text; undefined: it is too long and holds no data. */
  let open: string[] | undefined = []
  let openLength = 0
  let data: string[] = []
  let dataLength = 0
  let endsWithReturn = false

  function line(text: string): void {
    if (text === '') {
      if (data.length) onEvent(data.join('\n'))
      data = []
      dataLength = 0
    } else if (text.startsWith('data:')) {
      dataLength += text.length
      if (dataLength > maxEventLength) throw new ModelFailure('nonsense', 'the answer does not end')
      data.push(text.slice(text[5] === ' ' ? 6 : 5))
    }
  }
  function bufferText(text: string): void {
    if (!text || !open) return
    open.push(text)
    openLength += text.length
    if (openLength <= maxEventLength) return
    if (open.join('').startsWith('data:')) throw new ModelFailure('nonsense', 'the answer does not end')
    // The row is too long, for example a whole answer in one row, which is not an event.
    open = undefined
  }
  function endLine(): void {
    if (open) line(open.join(''))
    open = []
    openLength = 0
  }
  function consumeText(text: string): void {
    // Skips the LF of a CRLF whose CR ended the previous chunk.
    let start = endsWithReturn && text.startsWith('\n') ? 1 : 0
    if (text) endsWithReturn = false
    for (let at = start; at < text.length; at++) {
      const sign = text.charCodeAt(at)
      if (sign !== 10 && sign !== 13) continue
      bufferText(text.slice(start, at))
      endLine()
      if (sign === 13 && at + 1 === text.length) endsWithReturn = true
      if (sign === 13 && text.charCodeAt(at + 1) === 10) at++
      start = at + 1
    }
    bufferText(text.slice(start))
  }
  return {
    add: (piece: Buffer): void => consumeText(letters.decode(piece, { stream: true })),
    /** Ends the stream. It also handles a last event without the empty row that should follow it. */
    end(): void {
      consumeText(letters.decode())
      endLine()
      line('')
    },
  }
}
