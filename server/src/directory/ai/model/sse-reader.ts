import { ModelFailure } from './model-failure.ts'

/** A piece of an answer is a word or two with what surrounds it; whoever sends more in one event sends no answer. */
const maxEventLength = 64 * 1024

/**
 * Reads server-sent events out of pieces that end anywhere, in the middle of a letter too. Each letter is looked at once,
 * however small the pieces are. Throws where an event does not end.
 */
export function makeSseReader(onEvent: (data: string) => void) {
  const letters = new TextDecoder()
  /** The line that is not over yet, as it came; undefined: too long, and no data. */
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
  function keep(text: string): void {
    if (!text || !open) return
    open.push(text)
    openLength += text.length
    if (openLength <= maxEventLength) return
    if (open.join('').startsWith('data:')) throw new ModelFailure('nonsense', 'the answer does not end')
    // Such as a whole answer in one line: nothing of it is an event.
    open = undefined
  }
  function endLine(): void {
    if (open) line(open.join(''))
    open = []
    openLength = 0
  }
  function take(text: string): void {
    // The other half of a line's end that came with the piece before.
    let start = endsWithReturn && text.startsWith('\n') ? 1 : 0
    if (text) endsWithReturn = false
    for (let at = start; at < text.length; at++) {
      const sign = text.charCodeAt(at)
      if (sign !== 10 && sign !== 13) continue
      keep(text.slice(start, at))
      endLine()
      if (sign === 13 && at + 1 === text.length) endsWithReturn = true
      if (sign === 13 && text.charCodeAt(at + 1) === 10) at++
      start = at + 1
    }
    keep(text.slice(start))
  }
  return {
    add: (piece: Buffer): void => take(letters.decode(piece, { stream: true })),
    /** What is there when it ends counts, without the empty line that should follow it too. */
    end(): void {
      take(letters.decode())
      endLine()
      line('')
    },
  }
}
