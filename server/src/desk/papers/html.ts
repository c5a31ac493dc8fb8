import type { Scope } from '../../kernel/data/scope.ts'
import type { Conversation, Entry } from './conversation.ts'
import { type Picture, pictureReader } from './pictures.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const safe = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] as string)

const style = `body{font:15px/1.45 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1d2327;background:#fff}
h1{font-size:1.3rem;margin:0}header p{margin:.2rem 0;color:#5b6570}h2{font-size:.8rem;text-align:center;color:#5b6570;font-weight:600;margin:1.6rem 0 .8rem}
article{max-width:34rem;margin:.5rem 0;padding:.5rem .75rem;border:1px solid #d8dde2;border-radius:.6rem;break-inside:avoid;overflow-wrap:anywhere}
article.us{margin-left:auto;background:#eef7f1}article header{font-size:.78rem;color:#5b6570}article header b{color:#1d2327}
p{white-space:pre-wrap;margin:.2rem 0}blockquote{margin:.3rem 0;padding-left:.6rem;border-left:3px solid #c3cad1;color:#5b6570;white-space:pre-wrap}
img{max-width:100%;max-height:22rem;border-radius:.4rem}@media print{body{margin:0;max-width:none}article{border-color:#999}}`

/** Types that every browser shows and that cannot run anything. */
const shown = ({ type }: Picture) => /^image\/(png|jpeg|gif|webp)$/.test(type)

/** One page without any address in it: its pictures are inside, and it may fetch and run nothing. */
export async function* htmlOf(scope: Scope, { head, entries }: Conversation): AsyncGenerator<string> {
  const pictureOf = pictureReader(scope, shown)
  yield `<!doctype html>
<html lang="${head.language}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>${safe(head.title)}</title><style>${style}</style></head><body>
<header><h1>${safe(head.title)}</h1>${head.lines.map((line) => `<p>${safe(line)}</p>`).join('')}</header>\n`
  let any = false
  for await (const entry of entries) {
    any = true
    yield article(entry, await pictureOf(entry), head)
  }
  yield `${any ? '' : `<p>${safe(head.none)}</p>`}</body></html>\n`
}

function article(entry: Entry, picture: Picture | null, head: Conversation['head']): string {
  const { chapter, quoted, kind, fileName, text, transcript, reactions } = entry
  const name = [kind && `[${kind}]`, fileName].filter(Boolean).join(' ')
  const marks = entry.marks.map((mark) => ` · ${safe(mark)}`).join('')
  return `${chapter ? `<h2>${safe(chapter)}</h2>` : ''}<article class="${entry.fromMe ? 'us' : 'them'}"><header><b dir="auto">${safe(entry.who)}</b> · ${safe(entry.at)}${marks}</header>${
    quoted ? `<blockquote dir="auto">${safe(head.answer(quoted.who))}: ${safe(quoted.text)}</blockquote>` : ''
  }${picture ? `<img alt="${safe(name)}" src="data:${picture.type};base64,${picture.bytes.toString('base64')}">` : name ? `<p>${safe(name)}</p>` : ''}${
    text ? `<p dir="auto">${safe(text)}</p>` : ''
  }${transcript ? `<blockquote>${safe(head.transcript)}: ${safe(transcript)}</blockquote>` : ''}${
    reactions ? `<p>${safe(reactions)}</p>` : ''
  }</article>\n`
}
