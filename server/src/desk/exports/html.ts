import type { Scope } from '../../kernel/data/scope.ts'
import type { ConversationEntry, ExportedConversation } from './conversation.ts'
import { makePictureReader, type Picture } from './pictures.ts'

const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => htmlEntities[sign] as string)

const pageStyle = `body{font:15px/1.45 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1d2327;background:#fff}
h1{font-size:1.3rem;margin:0}header p{margin:.2rem 0;color:#5b6570}h2{font-size:.8rem;text-align:center;color:#5b6570;font-weight:600;margin:1.6rem 0 .8rem}
article{max-width:34rem;margin:.5rem 0;padding:.5rem .75rem;border:1px solid #d8dde2;border-radius:.6rem;break-inside:avoid;overflow-wrap:anywhere}
article.us{margin-left:auto;background:#eef7f1}article header{font-size:.78rem;color:#5b6570}article header b{color:#1d2327}
p{white-space:pre-wrap;margin:.2rem 0}blockquote{margin:.3rem 0;padding-left:.6rem;border-left:3px solid #c3cad1;color:#5b6570;white-space:pre-wrap}
img{max-width:100%;max-height:22rem;border-radius:.4rem}@media print{body{margin:0;max-width:none}article{border-color:#999}}`

/** Image types that every browser shows and that cannot run code. */
const isSafePicture = ({ type }: Picture) => /^image\/(png|jpeg|gif|webp)$/.test(type)

/** One HTML page without any URL: images are embedded, and the page may load and run nothing. */
export async function* renderHtml(scope: Scope, { head, entries }: ExportedConversation): AsyncGenerator<string> {
  const pictureOf = makePictureReader(scope, isSafePicture)
  yield `<!doctype html>
<html lang="${head.language}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(head.title)}</title><style>${pageStyle}</style></head><body>
<header><h1>${escapeHtml(head.title)}</h1>${head.lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</header>\n`
  let any = false
  for await (const entry of entries) {
    any = true
    yield renderEntry(entry, await pictureOf(entry), head)
  }
  yield `${any ? '' : `<p>${escapeHtml(head.none)}</p>`}</body></html>\n`
}

function renderEntry(entry: ConversationEntry, picture: Picture | null, head: ExportedConversation['head']): string {
  const { chapter, quoted, kind, fileName, text, transcript, reactions } = entry
  const name = [kind && `[${kind}]`, fileName].filter(Boolean).join(' ')
  const marks = entry.marks.map((mark) => ` · ${escapeHtml(mark)}`).join('')
  return `${chapter ? `<h2>${escapeHtml(chapter)}</h2>` : ''}<article class="${entry.fromMe ? 'us' : 'them'}"><header><b dir="auto">${escapeHtml(entry.who)}</b> · ${escapeHtml(entry.at)}${marks}</header>${
    quoted
      ? `<blockquote dir="auto">${escapeHtml(head.answer(quoted.who))}: ${escapeHtml(quoted.text)}</blockquote>`
      : ''
  }${picture ? `<img alt="${escapeHtml(name)}" src="data:${picture.type};base64,${picture.bytes.toString('base64')}">` : name ? `<p>${escapeHtml(name)}</p>` : ''}${
    text ? `<p dir="auto">${escapeHtml(text)}</p>` : ''
  }${transcript ? `<blockquote>${escapeHtml(head.transcript)}: ${escapeHtml(transcript)}</blockquote>` : ''}${
    reactions ? `<p>${escapeHtml(reactions)}</p>` : ''
  }</article>\n`
}
