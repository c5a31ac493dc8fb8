import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect } from 'vitest'
import { findChromium } from '../scripts/chromium.mjs'
import type { OwnedPasskey } from '../whatsapp/src/passkey.ts'
import { serveWebPage } from '../whatsapp/src/web-page.ts'

const extension = join(import.meta.dirname, '..', 'extension')

/**
 * The browser of the owner of a WhatsApp account: with our extension, the account's passkey in a virtual authenticator,
 * and WhatsApp's page on loopback. Extensions run only in a full browser with a profile.
 */
export async function openPasskeyBrowser({ credentialId, privateKey }: OwnedPasskey, url: string) {
  const web = await serveWebPage()
  const profile = await mkdtemp(join(tmpdir(), 'recado-passkey-'))
  const executablePath = findChromium({ whole: true })
  if (!executablePath) throw new Error('The stories need Chromium: node scripts/chromium.mjs')
  const context = await chromium.launchPersistentContext(profile, {
    ...{ executablePath, headless: true, locale: 'es', ignoreHTTPSErrors: true },
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      ...['--disable-features=DisableLoadExtensionCommandLineSwitch', `--load-extension=${extension}`],
      `--host-resolver-rules=MAP web.whatsapp.com:443 127.0.0.1:${web.port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
  })
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  await protocol.send('WebAuthn.enable')
  const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await protocol.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: {
      ...{ credentialId: credentialId.toString('base64'), isResidentCredential: true, rpId: 'whatsapp.com' },
      ...{ privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'), signCount: 1 },
      userHandle: Buffer.from('owner').toString('base64'),
    },
  })
  await page.goto(url)

  /** The panel is closed to scripts, so it is found as assistive software finds it. */
  async function listNodes() {
    const { nodes } = await protocol.send('Accessibility.getFullAXTree')
    return nodes.map(({ role, name, backendDOMNodeId }) => ({
      ...{ role: String(role?.value), name: String(name?.value ?? ''), id: backendDOMNodeId ?? 0 },
    }))
  }
  return {
    page,
    async click(button: string) {
      const findButton = async () => (await listNodes()).find(({ role, name }) => role === 'button' && name === button)
      await expect.poll(findButton).toBeDefined()
      const { model } = await protocol.send('DOM.getBoxModel', { backendNodeId: (await findButton())?.id ?? 0 })
      const [left = 0, top = 0] = model.content
      await page.mouse.click(left + model.width / 2, top + model.height / 2)
    },
    expectText: (text: string | RegExp) =>
      expect
        .poll(async () => (await listNodes()).map(({ name }) => name))
        .toContainEqual(typeof text === 'string' ? text : expect.stringMatching(text)),
    async close() {
      await context.close()
      await web.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
