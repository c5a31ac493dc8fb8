/** One message or action of a conversation, before it has a time and a person. */
export type ScriptLine = {
  by: 'customer' | 'agent' | 'house'
  kind: 'text' | 'image' | 'audio' | 'video' | 'paper' | 'sticker' | 'place' | 'card' | 'call'
  /** The text, or the caption of a file. */
  text: string
  /** The name of the image, the duration in seconds, or the name of the document. */
  attachment: string
  /** How many script entries back the quoted message is. */
  quotedOffset: number | null
  reaction: string | null
  fate: 'edited' | 'deleted' | 'failed' | null
  /** Minutes of pause before this message, if the script sets them. */
  delayMinutes: number | null
}
export type ScriptNote = { by: 'note'; text: string }
export type ConversationScript = { queue: DemoQueueName; tags: string[]; lines: (ScriptLine | ScriptNote)[] }
export type DemoQueueName = 'reservas' | 'excursiones' | 'pagos' | 'viajeros'

const speakerBySign = { '<': 'customer', '>': 'agent', '=': 'house' } as const
const linePattern = /^([<>=])(\w*)\s*(.*)$/
const endingPattern = /\s*\[([^\]]+)\]$/
const minutesByUnit = { m: 1, h: 60, d: 1440 } as const

/**
 * Parses conversation scripts. A row `# queue, tag, tag` begins a script; `<` is the customer, `>` the agent, `=` the
 * system, `!` a note, `~ 3h` a pause. A kind may follow the sign (`<image lake | caption`), and the end may contain
 * `[re 2]`, a delivery state, or the emoji of a reaction.
 */
export function parseScripts(text: string): ConversationScript[] {
  const scripts: ConversationScript[] = []
  let after: number | null = null
  for (const written of text.split('\n').map((l) => l.trim())) {
    const current = scripts.at(-1)
    if (written.startsWith('#')) {
      const [queue, ...tags] = written.slice(1).split(',')
      scripts.push({ queue: queue?.trim() as DemoQueueName, tags: tags.map((t) => t.trim()), lines: [] })
    } else if (written.startsWith('~')) after = parsePause(written)
    else if (written.startsWith('!')) current?.lines.push({ by: 'note', text: written.slice(1).trim() })
    else if (written) {
      current?.lines.push(parseLine(written, after))
      after = null
    }
  }
  return scripts
}

function parsePause(written: string): number {
  const [, count, unit] = /(\d+)([mhd])/.exec(written) ?? []
  return Number(count) * minutesByUnit[unit as keyof typeof minutesByUnit]
}

function parseLine(written: string, after: number | null): ScriptLine {
  const [, sign = '<', kind = '', rest = ''] = linePattern.exec(written) ?? []
  const line: ScriptLine = {
    by: speakerBySign[sign as keyof typeof speakerBySign],
    kind: (kind || 'text') as ScriptLine['kind'],
    text: '',
    attachment: '',
    quotedOffset: null,
    reaction: null,
    fate: null,
    delayMinutes: after,
  }
  const words = parseEndings(rest, line)
  const [thing = '', caption = ''] = words.split(' | ')
  return kind ? { ...line, attachment: thing.trim(), text: caption.trim() } : { ...line, text: words }
}

function parseEndings(text: string, line: ScriptLine): string {
  const found = endingPattern.exec(text)
  if (!found) return text.replaceAll('\\n', '\n')
  const word = found[1] as string
  if (word.startsWith('re ')) line.quotedOffset = Number(word.slice(3))
  else if (word === 'edited' || word === 'deleted' || word === 'failed') line.fate = word
  else line.reaction = word
  return parseEndings(text.slice(0, found.index), line)
}
