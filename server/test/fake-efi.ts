import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type LoopbackRequest, openLoopbackServer } from './loopback-server.ts'

/** A test CA, with a server and a client certificate. Valid for a hundred years, only for tests. */
const authority = `-----BEGIN CERTIFICATE-----
MIIBiDCCAS+gAwIBAgIUUvWT81b2IuaWhRPpdV54ddgzzfcwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOUmVjYWRvIHRlc3QgQ0EwIBcNMjYxMTE2MTQxNTM2WhgPMjEy
NjEwMjMxNDE1MzZaMBkxFzAVBgNVBAMMDlJlY2FkbyB0ZXN0IENBMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEqn7AlD2wIzn8URV7dxYqlfznMjpq4H1G2Rt9RSKU
XlBDvO0WQGN0Pb5kK/J9jubIZhP2YoiO1ZYFyFv83QzJs6NTMFEwHQYDVR0OBBYE
FG/jnX9UkxfoHXBkGWHZ9cndYvU0MB8GA1UdIwQYMBaAFG/jnX9UkxfoHXBkGWHZ
9cndYvU0MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgJFn3DKQT
k9bFLDKgI3OkpkNqdQXY8NiFh7ho+VnU+74CIHN2r/G1wSeaXLVZmGE7iNANDMbI
tmAKcRbTOZ5cdqbA
-----END CERTIFICATE-----`
const certificate = `-----BEGIN CERTIFICATE-----
MIIBjDCCATKgAwIBAgIUOHQZ+eTIyyq9pk0BlJ3o8mWRjxkwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOUmVjYWRvIHRlc3QgQ0EwIBcNMjYxMTE2MTQxNTM3WhgPMjEy
NjEwMjMxNDE1MzdaMBExDzANBgNVBAMMBnNlcnZlcjBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABJsNbFbpATVH9Y/eahUiDCbsnZewko7xLCHIhmZyzinXt0gn585/
dileEXvouX+2U3yOJZKUPHL2TjA4BnbPytKjXjBcMBoGA1UdEQQTMBGHBH8AAAGC
CWxvY2FsaG9zdDAdBgNVHQ4EFgQUhM+An0Nnt9nUJ9QCDPWyqU7P3r4wHwYDVR0j
BBgwFoAUb+Odf1STF+gdcGQZYdn1yd1i9TQwCgYIKoZIzj0EAwIDSAAwRQIhAMQ4
L/TpN3jVx+hPBiFwH5mwjRY55QvLvfgL15Og33/bAiAViu6kg/P7VYt5H3tXe7n+
Tkpalf4UHESdpu/qHqBJEg==
-----END CERTIFICATE-----`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgB/DDQcN5cv5Uaxi/
7slYH4ixWofCSOSa/Jy9sJqYQuehRANCAASbDWxW6QE1R/WP3moVIgwm7J2XsJKO
8SwhyIZmcs4p17dIJ+fOf3YpXhF76Ll/tlN8jiWSlDxy9k4wOAZ2z8rS
-----END PRIVATE KEY-----`
/** The P12 file that Efí issues, in base64. */
export const clientCertificate =
  'MIIEHAIBAzCCA9IGCSqGSIb3DQEHAaCCA8MEggO/MIIDuzCCAnIGCSqGSIb3DQEHBqCCAmMwggJfAgEAMIICWAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgkRytBLXj+HgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJIADAc0JNheZXO9zRB0kteAggHwk+QRqC1jjTNcszvmr8TgeoiPbKfydw8bWYuW7/1uTiRNgsT1hb7LlAEjXHFi9dDB0Y3BrqRUg32sMLAuNyEMajrf3W2FsDZ+THY/pEJod53IAwXp8W5tBrgCHnWQym3M0TfOqOnZJlktPRa6ToYu4c0RllAgrY1bJKxaSdMZgOmZ4sVc054dL8zh6NgzzpippHAHUNu/bg8bvuoGesPhg6uiTVenGS7zH8/LPcx+J/6Ijjg3v5MDlCI8OndPuChKuhFwgm5HcJInA7qnrSiiZUMBw5SLxGkWkUqPWdM/FnJAwXuHRqF/G45Xinwq88z0gu3pcWlbc+kJfSDz5sCOorgwcL4d8indgSH1CRYezQvW8QhiVChH6vcahPN8AXVabbQ4L2YVT8m5pYb2bYgTbO6m3v5BnTV+ZFhFOh7ZU5NkYM1CY7xgy9spBj3AmJuu7nMUIdP0Fjnyvf0yHQBQqdgczdlsYuctXHfJNoaZemPkVXv4VZGmGBUDlU0cphbXyCfEtvrzkZ4+FpElS0QED4qStxlFD/xUkRxgNnrSlcjXsiQK4hCFB6jaqfOgYVILnjqa+U78n3QrpQIOSKi67vzbx0OmfQlDaN62CfwQvJQknQn/niPK9Nvh1dH092iXSGKcfYuwjxc1kIrW1BOcWTCCAUEGCSqGSIb3DQEHAaCCATIEggEuMIIBKjCCASYGCyqGSIb3DQEMCgECoIHvMIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg+2xRDNRuydgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEBm5JUiOu2NnC4tQQuIgbZwEgZDKPDTpZjfl3uF5tOHM/X3pkMHxHO3+VS7OCQgxXbzgPAFjUcBoNeSOpABYUeIbDWTyBpm6oVr//Ty3/C7IZEiUEyk+yk2JB/V9tMgY1feS7XCgUt2XkqCmaKAf7OJCDEyDuUiMEHvEK893Q6/LD3Zmc1udU7g+gOn9+30RVLvOdrUdRb7lGahvK9ZBEbVkCUgxJTAjBgkqhkiG9w0BCRUxFgQUFq7yXkac1U9T8d6hWCGzNXfR1HswQTAxMA0GCWCGSAFlAwQCAQUABCD1D0DhW9RhIr4uB5Kg+7Bg0ypgyTHrGXQaDVhCxJwc/gQIxfZjbqaNJfoCAggA'

type Pix = { endToEndId: string; txid: string; valor: string; horario: string; pagador: { nome: string } }

/** A fake Efí Pix API: OAuth with a client certificate, immediate charges, and payments. */
export async function fakeEfi() {
  setDefaultCACertificates([...getCACertificates(), authority])
  const charges = new Map<string, { cents: number; chave: string; pix: Pix[] }>()
  const loose: Pix[] = []
  const hooks: string[] = []
  let made = 0
  const machine = await openLoopbackServer(answer, { key, cert: certificate, ca: authority, requestCert: true })

  function answer({ method, path, headers, body }: LoopbackRequest) {
    if (path === '/oauth/token') {
      const good = headers.authorization === `Basic ${Buffer.from('client:secret').toString('base64')}`
      return good
        ? { body: { access_token: 'token', expires_in: 3600 } }
        : { status: 401, body: { error: 'invalid_client' } }
    }
    if (headers.authorization !== 'Bearer token') return { status: 401, body: { error: 'no token' } }
    const [, what, id = ''] = /^\/v2\/(cob|pix|webhook)\/([^/?]+)/.exec(path) ?? []
    if (what === 'webhook') {
      hooks.push(JSON.parse(body).webhookUrl)
      return { body: {} }
    }
    if (what === 'pix') {
      const found = [...[...charges.values()].flatMap(({ pix }) => pix), ...loose].find((one) => one.endToEndId === id)
      return found ? { body: found } : { status: 404, body: { nome: 'pix_nao_encontrado' } }
    }
    if (what !== 'cob') return { status: 404, body: {} }
    if (method === 'PUT') {
      const { valor, chave } = JSON.parse(body)
      charges.set(id, { cents: Math.round(Number(valor.original) * 100), chave, pix: [] })
    }
    const cob = charges.get(id)
    if (!cob) return { status: 404, body: { nome: 'cobranca_nao_encontrada' } }
    const { cents, pix } = cob
    return {
      body: {
        txid: id,
        status: pix.length ? 'CONCLUIDA' : 'ATIVA',
        valor: { original: (cents / 100).toFixed(2) },
        pixCopiaECola: `00020101efi${id}`,
        loc: { id: 1 },
        ...(pix.length && { pix }),
      },
    }
  }
  const pixOf = (txid: string, cents: number): Pix => ({
    endToEndId: `E00000000${String(++made).padStart(23, '0')}`,
    txid,
    valor: (cents / 100).toFixed(2),
    horario: new Date().toISOString(),
    pagador: { nome: 'Marta Acosta' },
  })

  return {
    ...machine,
    charges,
    hooks,
    /** Pays a charge; returns the webhook body. */
    pays(txid: string, cents = charges.get(txid)?.cents ?? 0) {
      const pix = pixOf(txid, cents)
      charges.get(txid)?.pix.push(pix)
      return { pix: [{ endToEndId: pix.endToEndId, txid, valor: pix.valor, chave: 'pagos' }] }
    },
    /** Sends money to the key without a charge. */
    sends(cents: number) {
      const pix = pixOf('', cents)
      loose.push(pix)
      return { pix: [{ endToEndId: pix.endToEndId, valor: pix.valor, chave: 'pagos' }] }
    },
  }
}
