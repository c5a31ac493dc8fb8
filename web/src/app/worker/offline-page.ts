/**
 * The texts of the page that is shown when the server and the network do not respond. The page is self-contained,
 * because nothing else may load.
 */
const words = {
  es: {
    title: 'Sin conexión',
    line: 'No pudimos conectar con el servidor. Lo que escribiste sigue aquí; volvemos en cuanto haya conexión.',
    retry: 'Reintentar',
  },
  pt: {
    title: 'Sem conexão',
    line: 'Não conseguimos falar com o servidor. O que você escreveu continua aqui; voltamos assim que houver conexão.',
    retry: 'Tentar de novo',
  },
  en: {
    title: "You're offline",
    line: "We can't reach the server. What you wrote is still here; we'll be back as soon as you're online.",
    retry: 'Try again',
  },
}

const logoSvg =
  'M4.75 3A1.75 1.75 0 0 1 6.5 4.75v14.5a1.75 1.75 0 0 1-3.5 0V4.75A1.75 1.75 0 0 1 4.75 3zM9.9 3h5.2a5.9 5.9 0 0 1 2.75 11.12l2.9 4.98c.72 1.24-.86 2.6-1.98 1.7L11.6 14.8H9.9A1.4 1.4 0 0 1 8.5 13.4v-9A1.4 1.4 0 0 1 9.9 3z'

// The colours of tokens.css, which cannot be loaded here.
const style = `
:root { --canvas: #f5f5f2; --ink: #182022; --ink-2: #454d50; --accent: #00687a; --mark: #00687a }
:root[data-theme=dark] { --canvas: #0d1214; --ink: #e7ecee; --ink-2: #b1bbbe; --accent: #097689; --mark: #91cedd; color-scheme: dark }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: var(--canvas); color: var(--ink); font: 14px/20px system-ui, sans-serif }
main { max-width: 340px; padding: 24px; text-align: center }
svg { width: 48px; fill: var(--mark) }
h1 { font-size: 20px; line-height: 26px; font-weight: 600; margin: 16px 0 6px }
p { margin: 0 0 20px; color: var(--ink-2) }
button { border: 0; border-radius: 8px; padding: 0 18px; min-height: 44px; background: var(--accent); color: #fff; font: 600 14px/20px system-ui, sans-serif; cursor: pointer }
button:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px }`

/** Sets the user's language and theme. The page stores both where the service worker cannot read them. */
const script = `
let kept = {}
try { kept = { language: localStorage.getItem('i18nextLng'), theme: localStorage.getItem('preferredTheme') } } catch {}
const all = ${JSON.stringify(words)}
const language = Object.hasOwn(all, kept.language) ? kept.language : 'es'
document.documentElement.lang = language
const dark = kept.theme === 'dark' || (kept.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = dark ? 'dark' : 'light'
for (const part of document.querySelectorAll('[data-word]')) part.textContent = all[language][part.dataset.word]
document.title = all[language].title + ' · Recado'
const again = () => location.reload()
document.querySelector('button').onclick = again
addEventListener('online', again)
// A server that starts anew tells no browser that it is back.
setInterval(() => fetch('/healthz', { cache: 'no-store' }).then((answer) => answer.ok && again(), () => {}), 10000)`

const page = `<!doctype html>
<html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recado</title><style>${style}</style></head>
<body><main><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${logoSvg}"/></svg>
<h1 data-word="title"></h1><p data-word="line"></p><button type="button" data-word="retry"></button></main>
<script>${script}</script></body></html>`

const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"

export const offlineResponse = (): Response =>
  new Response(page, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  })
