/**
 * Runs on WhatsApp's own page, where the browser lets the owner of an account use its passkey. It does nothing unless the
 * page was opened with a one-time address of a Recado server after the hash sign. Then it asks the person, has the passkey
 * sign the request of WhatsApp, and sends the signature to that address. It reads nothing of the page and of its session.
 */
const addressPattern = /^#recado-passkey=([^&]{1,2000})$/
const pathPattern = /^\/line-passkey\/[\w-]{43}$/
const passkeySite = 'whatsapp.com'
const loopbackHosts = ['localhost', '127.0.0.1']

const texts = {
  es: {
    title: 'Vincular este WhatsApp con Recado',
    ask: (host) =>
      `El servidor ${host} pide tu llave de acceso de WhatsApp. Sigue solo si tú acabas de pedirlo en ese Recado: quien recibe tu firma puede leer y escribir tus mensajes.`,
    sign: 'Firmar con mi llave',
    cancel: 'Cancelar',
    signing: 'Esperando tu llave de acceso…',
    done: 'Listo. Vuelve a Recado y compara el código con el teléfono.',
    gone: 'Esta dirección ya se usó o venció. Crea otra en Recado.',
    failed: 'No se pudo firmar. Prueba de nuevo, o crea otra dirección en Recado.',
  },
  pt: {
    title: 'Conectar este WhatsApp ao Recado',
    ask: (host) =>
      `O servidor ${host} pede sua chave de acesso do WhatsApp. Continue só se você acabou de pedir isso nesse Recado: quem recebe sua assinatura pode ler e escrever suas mensagens.`,
    sign: 'Assinar com minha chave',
    cancel: 'Cancelar',
    signing: 'Esperando sua chave de acesso…',
    done: 'Pronto. Volte ao Recado e compare o código com o telefone.',
    gone: 'Este endereço já foi usado ou venceu. Crie outro no Recado.',
    failed: 'Não foi possível assinar. Tente de novo, ou crie outro endereço no Recado.',
  },
  en: {
    title: 'Link this WhatsApp to Recado',
    ask: (host) =>
      `The server ${host} asks for your WhatsApp passkey. Only continue if you have just requested this in that Recado: whoever gets your signature can read and write your messages.`,
    sign: 'Sign with my passkey',
    cancel: 'Cancel',
    signing: 'Waiting for your passkey…',
    done: 'Done. Go back to Recado and compare the code with the phone.',
    gone: 'This address was already used or has expired. Create another one in Recado.',
    failed: "It couldn't be signed. Try again, or create another address in Recado.",
  },
}
const words = texts[navigator.language.slice(0, 2)] ?? texts.en

const style = `
  section { position: fixed; z-index: 2147483647; top: 24px; right: 24px; width: min(360px, calc(100vw - 48px)); box-sizing: border-box;
    padding: 20px; border-radius: 14px; background: #fff; color: #1c2430; font: 14px/20px system-ui, sans-serif; box-shadow: 0 8px 40px rgb(0 0 0 / .35); }
  h1 { margin: 0 0 8px; font-size: 16px; line-height: 22px; }
  p { margin: 0 0 16px; overflow-wrap: anywhere; }
  button { font: inherit; font-weight: 600; min-height: 36px; padding: 0 14px; margin-right: 8px; border-radius: 8px; border: 1px solid #b8c0cc; background: #fff; color: inherit; cursor: pointer; }
  button.main { background: #1c2430; border-color: #1c2430; color: #fff; }
  button:focus-visible { outline: 2px solid #2a6fdb; outline-offset: 2px; }
`

/** The one-time address after the hash sign; undefined: there is none, or it is not one of Recado. */
function readAddress(hash) {
  const encoded = addressPattern.exec(hash)?.[1]
  if (!encoded) return undefined
  let address
  try {
    address = new URL(decodeURIComponent(encoded))
  } catch {
    return undefined
  }
  const isSafe =
    address.protocol === 'https:' || (address.protocol === 'http:' && loopbackHosts.includes(address.hostname))
  const isBare = !address.username && !address.password && !address.search && !address.hash
  return isSafe && isBare && pathPattern.test(address.pathname) ? address : undefined
}

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Nothing of the browser goes along: no cookies, no referrer, no redirect to another server. */
const privateFetch = (address, init = {}) =>
  fetch(address, { ...init, credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer', redirect: 'error' })

async function signRequest(address) {
  const answer = await privateFetch(address)
  if (!answer.ok) return answer.status === 404 ? 'gone' : 'failed'
  const { challenge, rpId, timeout, allowCredentials = [], userVerification } = await answer.json()
  if (rpId !== passkeySite) return 'failed'
  const credential = await navigator.credentials.get({
    publicKey: {
      ...{ challenge: toBytes(challenge), rpId, timeout, userVerification },
      allowCredentials: allowCredentials.map((known) => ({ ...known, id: toBytes(known.id) })),
    },
  })
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response
  const assertion = {
    ...{ id: credential.id, rawId: toText(credential.rawId), type: credential.type },
    authenticatorAttachment: credential.authenticatorAttachment,
    response: {
      ...{ clientDataJSON: toText(clientDataJSON), authenticatorData: toText(authenticatorData) },
      ...{ signature: toText(signature), userHandle: userHandle?.byteLength ? toText(userHandle) : null },
    },
    clientExtensionResults: {},
  }
  const headers = { 'content-type': 'application/json' }
  const sent = await privateFetch(address, { method: 'POST', headers, body: JSON.stringify(assertion) })
  if (sent.ok) return 'done'
  return sent.status === 404 ? 'gone' : 'failed'
}

/** Asks the person. The panel is closed to the scripts of the page. */
function showPanel(address) {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
  const create = (tag, text) => Object.assign(document.createElement(tag), { textContent: text })
  const panel = document.createElement('section')
  panel.setAttribute('role', 'alertdialog')
  panel.setAttribute('aria-label', words.title)
  const question = create('p', words.ask(address.host))
  question.setAttribute('role', 'status')
  const sign = Object.assign(create('button', words.sign), { className: 'main' })
  const cancel = create('button', words.cancel)
  panel.append(create('h1', words.title), question, sign, cancel)
  root.append(panel)
  document.documentElement.append(host)
  cancel.addEventListener('click', () => host.remove())
  sign.addEventListener('click', async ({ isTrusted }) => {
    // A script of the page cannot click for the person.
    if (!isTrusted || sign.disabled) return
    sign.disabled = true
    question.textContent = words.signing
    const result = await signRequest(address).catch(() => 'failed')
    question.textContent = words[result]
    sign.disabled = false
    if (result !== 'failed') sign.remove()
  })
}

function handleAddress() {
  const address = readAddress(location.hash)
  if (!address) return
  // The page and the history do not keep the address.
  history.replaceState(history.state, '', location.pathname + location.search)
  if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', () => showPanel(address), { once: true })
  else showPanel(address)
}

handleAddress()
addEventListener('hashchange', handleAddress)
