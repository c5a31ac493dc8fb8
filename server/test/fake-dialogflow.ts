import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { type LoopbackRequest, openLoopbackServer } from './loopback-server.ts'

/** The key is generated once, because that is slow. */
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

type DetectIntentBody = { queryInput: { text?: { text: string; languageCode: string } }; inputAudio?: string }

/** Fake Google token exchange and DialogFlow detectIntent. The test defines the answers. */
export async function fakeDialogflow() {
  const agent: { result: (text: string, given: DetectIntentBody) => Record<string, unknown> } = {
    result: (text) => ({
      fulfillmentMessages: [{ text: { text: [`Entendí ${text}`] } }],
      intent: { displayName: 'hola' },
    }),
  }
  const tokens = new Set<string>()
  const machine = await openLoopbackServer(answer)

  function answer({ path, body, headers }: LoopbackRequest) {
    if (path === '/token') return exchangeAssertionForToken(new URLSearchParams(body))
    const token = (headers.authorization ?? '').replace('Bearer ', '')
    if (!tokens.has(token)) return { status: 401, body: { error: { code: 401, message: 'Invalid credentials' } } }
    const project = /^\/v2\/projects\/([^/]+)\/agent\/sessions\/[^/]+:detectIntent$/.exec(path)?.[1]
    if (project !== 'agente') return { status: 403, body: { error: { code: 403, message: 'IAM permission denied' } } }
    const given = JSON.parse(body) as DetectIntentBody
    const text = given.queryInput.text?.text ?? ''
    return { body: { responseId: 'r', queryResult: { queryText: text, ...agent.result(text, given) } } }
  }

  /** Issues a token for an assertion with a valid signature (RFC 7523). */
  function exchangeAssertionForToken(form: URLSearchParams) {
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const signed = Buffer.from(`${head}.${claims}`)
    const good = verify(
      'RSA-SHA256',
      signed,
      createPublicKey(keys.publicKey.export({ type: 'spki', format: 'pem' })),
      Buffer.from(signature, 'base64url'),
    )
    const { iss, aud } = claims ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : {}
    if (!good || iss !== account.client_email || aud !== account.token_uri)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    const token = `token${tokens.size + 1}`
    tokens.add(token)
    return { body: { access_token: token, expires_in: 3600, token_type: 'Bearer' } }
  }

  const account = {
    type: 'service_account',
    project_id: 'agente',
    private_key_id: 'k1',
    private_key: privateKey,
    client_email: 'bot@agente.iam.gserviceaccount.com',
    token_uri: `${machine.url}/token`,
  }
  return { ...machine, base: `${machine.url}/v2`, agent, account, json: JSON.stringify(account), tokens }
}
