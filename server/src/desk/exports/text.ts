import type { ExportedConversation } from './conversation.ts'

/** One message after another, each under its time and author. */
export async function* renderText({ head, entries }: ExportedConversation): AsyncGenerator<string> {
  yield `${head.title}\n${head.lines.join('\n')}\n`
  let any = false
  for await (const entry of entries) {
    any = true
    const lines = [
      ...(entry.quoted ? [`> ${head.answer(entry.quoted.who)}: ${entry.quoted.text.replaceAll('\n', ' ')}`] : []),
      [entry.kind && `[${entry.kind}]`, entry.fileName].filter(Boolean).join(' '),
      entry.text,
      ...(entry.transcript ? [`${head.transcript}: ${entry.transcript}`] : []),
      entry.reactions,
    ].filter(Boolean)
    const marks = entry.marks.length ? ` (${entry.marks.join(', ')})` : ''
    yield `${entry.chapter ? `\n--- ${entry.chapter} ---\n` : ''}\n[${entry.at}] ${entry.who}${marks}:\n${lines.join('\n')}\n`
  }
  if (!any) yield `\n${head.none}\n`
}
