import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quickMessagesApi } from '@recado/contract/quick-messages'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { sendForm, tinyPdf, tinyPng } from '../../../test/upload.ts'
import { hours, minutes } from '../clock.ts'

let harness: TestServer
let admin: TestUser
beforeAll(async () => {
  harness = await testServer()
  admin = (await harness.createCompany()).admin
})
afterAll(closeTestServers)

let kept = 0
/** Uploads through a quick message, which accepts any file, and returns its signed URL. */
async function stored(content: Uint8Array | string, name: string): Promise<string> {
  const { id } = await admin.call(quickMessagesApi.create, {
    body: { shortcode: `${++kept} ${name}`.slice(0, 50), message: '' },
  })
  expect((await sendForm(admin, `/quick-messages/${id}/media-upload`, { file: [[content, name]] })).status).toBe(200)
  return (await admin.call(quickMessagesApi.show, { params: { id } })).mediaPath as string
}
const expectRefusal = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers })
  return [answer.status, ((await answer.json()) as { error: string }).error]
}

describe('a signed URL', () => {
  it('opens the file without a session, for one to two hours, and stays the same meanwhile', async () => {
    const house1 = await testServer()
    onTestFinished(house1.close)
    const { admin: other } = await house1.createCompany()
    const { id } = await other.call(quickMessagesApi.create, { body: { shortcode: 'x', message: '' } })
    await sendForm(other, `/quick-messages/${id}/media-upload`, { file: [[tinyPng, 'a.png']] })
    const address = async () => (await other.call(quickMessagesApi.show, { params: { id } })).mediaPath as string
    const url = await address()
    expect(await address()).toBe(url)
    expect((await fetch(url)).status).toBe(200)
    house1.clock.advance(minutes(59))
    expect((await fetch(url)).status).toBe(200)
    house1.clock.advance(minutes(62))
    expect(await expectRefusal(url)).toEqual([410, 'ERR_LINK_EXPIRED'])
    // Older clients fetch images with their bearer token: a 401 or 403 here would log them out.
    expect(await expectRefusal(url, { authorization: 'Bearer old' })).toEqual([410, 'ERR_LINK_EXPIRED'])
    house1.clock.advance(hours(24))
    expect(await expectRefusal(url)).toEqual([410, 'ERR_LINK_EXPIRED'])
  })

  it('opens no file if any part of the URL is changed', async () => {
    const url = new URL(await stored(tinyPng, 'photo.png'))
    const other = new URL(await stored('other words', 'other.txt'))
    const [, , company, name, shown] = url.pathname.split('/')
    const { until, sig } = Object.fromEntries(url.searchParams)
    const theirs = other.pathname.split('/')[3]
    const no = [404, 'ERR_NOT_FOUND']
    const at = (path: string, query = url.search) => expectRefusal(`${harness.address}/public/${path}${query}`)
    expect(await at(`${company}/${name}/${shown}`, '')).toEqual(no)
    expect(await at(`${company}/${name}/${shown}`, `?until=${until}`)).toEqual(no)
    expect(await at(`${company}/${name}/${shown}`, `?sig=${sig}`)).toEqual(no)
    expect(await at(`${company}/${name}/${shown}`, `?until=${Number(until) + 3_600_000}&sig=${sig}`)).toEqual(no)
    expect(await at(`${company}/${name}/${shown}`, `?until=${until}&sig=${sig?.slice(1)}`)).toEqual(no)
    expect(await at(`${company}/${name}/${shown}`, `?until=${until}&until=${until}&sig=${sig}`)).toEqual(no)
    expect(await at(`${Number(company) + 1}/${name}/${shown}`)).toEqual(no)
    expect(await at(`${company}/${theirs}/${shown}`)).toEqual(no)
    expect(await at(`${company}/${name}/renamed.html`)).toEqual(no)
    for (const path of [
      `${company}/${name}`,
      `${company}`,
      '',
      '..%2fapp-secret',
      `${company}/..%2f..%2fapp-secret/x`,
      'mail',
    ])
      expect(await at(path), path).toEqual(no)
    expect((await fetch(url)).status).toBe(200)
  })

  it('returns "not found" for a deleted file', async () => {
    const url = new URL(await stored(tinyPng, 'gone.png'))
    const { companyId } = admin
    await harness.server.deps.files.remove(companyId, [url.pathname.split('/')[3] as string])
    expect(await expectRefusal(url.href)).toEqual([404, 'ERR_NOT_FOUND'])
  })
})

describe('file responses', () => {
  const html = '<!doctype html><script>alert(document.domain)</script>'
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'

  it.each([
    ['page.html', html],
    ['picture.svg', svg],
    ['picture.png', html],
    ['picture.jpg', svg],
    ['doc.xml', '<?xml version="1.0"?><x/>'],
    ['script.js', 'alert(1)'],
    ['data.json', '{}'],
    ['words.txt', 'hello'],
    ['empty.png', ''],
    ['paper.pdf', html],
  ])('only ever offer %s with active or unknown content as a download', async (name, content) => {
    const answer = await fetch(await stored(content, name), { headers: { accept: 'text/html,*/*' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-type')).not.toMatch(/html|svg|javascript|^text/)
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(await answer.text()).toBe(content)
  })

  it.each([
    ['a picture with a page behind it', Buffer.concat([tinyPng, Buffer.from(html)]), 'x.html'],
    ['a picture whose first signs are a comment of a script', Buffer.from(`GIF89a/*${html}*/=1;alert(1)`), 'x.js'],
    ['a paper with a page in it', Buffer.concat([tinyPdf, Buffer.from(html)]), 'x.htm'],
    ['a page that says it is a paper further down', Buffer.from(`${html}\n%PDF-1.7\n`), 'x.pdf'],
    ['a page behind blanks and a mark of its order', Buffer.from(`\ufeff   \n${html}`), 'x.png'],
    [
      'a picture and an archive at once',
      Buffer.concat([tinyPng, Buffer.from('PK\u0003\u0004'), Buffer.from(html)]),
      'x.zip',
    ],
  ])('never serve %s as a page or a script, whatever its name', async (_, content, name) => {
    const answer = await fetch(await stored(content, name), { headers: { accept: 'text/html,*/*' } })
    expect(answer.headers.get('content-type')).toMatch(/^(image\/(png|gif)|application\/(pdf|octet-stream|zip))$/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(content)
  })

  it('show images and PDFs inline, by their content, whatever their name', async () => {
    for (const [name, content, type] of [
      ['a.png', tinyPng, 'image/png'],
      ['page.html', tinyPng, 'image/png'],
      ['paper', tinyPdf, 'application/pdf'],
    ] as const) {
      const answer = await fetch(await stored(content, name))
      expect([
        answer.status,
        answer.headers.get('content-type'),
        answer.headers.get('content-disposition'),
        answer.headers.get('x-content-type-options'),
      ]).toEqual([200, type, `inline; filename*=UTF-8''${name}`, 'nosniff'])
      // Only a PDF may be shown in a frame, and only on our own page. The type is detected from the bytes.
      const framed = type === 'application/pdf' ? "frame-ancestors 'self'" : "frame-ancestors 'none'"
      expect(answer.headers.get('content-security-policy')).toMatch(new RegExp(`default-src 'none';.*${framed}`))
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(content)
    }
  })

  it('encode the file name, so that no character of it ends or extends the header', async () => {
    const answer = await fetch(await stored('hello', 'a";filename=b.html;\u00f1 \r\nx-evil: 1.txt'))
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w.%!~*'()-]+$/)
    expect(answer.headers.get('x-evil')).toBeNull()
  })

  it('support ranges, as players need', async () => {
    const text = '0123456789'.repeat(300)
    const url = await stored(text, 'ten.txt')
    const part = async (range: string) => {
      const answer = await fetch(url, { headers: { range, 'accept-encoding': 'identity' } })
      const body = await answer.text()
      return [
        answer.status,
        answer.headers.get('content-range'),
        answer.headers.get('content-length'),
        body.length > 20 ? body.length : body,
      ]
    }
    expect((await fetch(url)).headers.get('accept-ranges')).toBe('bytes')
    expect(await part('bytes=0-3')).toEqual([206, 'bytes 0-3/3000', '4', '0123'])
    expect(await part('bytes=2995-')).toEqual([206, 'bytes 2995-2999/3000', '5', '56789'])
    expect(await part('bytes=-4')).toEqual([206, 'bytes 2996-2999/3000', '4', '6789'])
    expect(await part('bytes=2998-99999')).toEqual([206, 'bytes 2998-2999/3000', '2', '89'])
    expect(await part('bytes=-99999')).toEqual([206, 'bytes 0-2999/3000', '3000', 3000])
    // An invalid range gets the whole file.
    for (const odd of ['bytes=5-2', 'bytes=3000-', 'bytes=-0', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'x'])
      expect(await part(odd), odd).toEqual([200, null, '3000', 3000])
  })

  it('return the size without the file', async () => {
    const answer = await fetch(await stored(tinyPng, 'head.png'), { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-length'), answer.headers.get('content-type')]).toEqual([
      200,
      String(tinyPng.length),
      'image/png',
    ])
  })
})

describe('an upload', () => {
  it('is refused with an error code if it is too large, and leaves no file behind', async () => {
    const { id } = await admin.call(quickMessagesApi.create, { body: { shortcode: 'large', message: '' } })
    const before = await readdir(join(harness.dataDir, 'files', String(admin.companyId)))
    for (const size of [1024 * 1024 + 1, 5 * 1024 * 1024]) {
      expect(
        await sendForm(admin, `/quick-messages/${id}/media-upload`, { file: [[new Uint8Array(size), 'large.bin']] }),
      ).toMatchObject({ status: 413, body: { error: 'ERR_FILESIZE_OVER_LIMIT' } })
    }
    expect(await readdir(join(harness.dataDir, 'incoming'))).toEqual([])
    expect(await readdir(join(harness.dataDir, 'files', String(admin.companyId)))).toEqual(before)
    expect(
      (
        await sendForm(admin, `/quick-messages/${id}/media-upload`, {
          file: [[new Uint8Array(1024 * 1024), 'just.bin']],
        })
      ).status,
    ).toBe(200)
  })

  it('may be larger than a JSON body', async () => {
    const roomy = await testServer({ uploadLimit: 8 * 1024 * 1024 })
    onTestFinished(roomy.close)
    const { admin: other } = await roomy.createCompany()
    const { id } = await other.call(quickMessagesApi.create, { body: { shortcode: 'x', message: '' } })
    expect(
      (
        await sendForm(other, `/quick-messages/${id}/media-upload`, {
          file: [[new Uint8Array(5 * 1024 * 1024), 'x.bin']],
        })
      ).status,
    ).toBe(200)
  })

  it('that is aborted or is not a form is refused, and leaves no file behind', async () => {
    const { id } = await admin.call(quickMessagesApi.create, { body: { shortcode: 'broken', message: '' } })
    const send = (type: string, body: string) =>
      fetch(`${harness.address}/quick-messages/${id}/media-upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
        body,
      })
    const start = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc'
    for (const [type, body] of [
      ['multipart/form-data; boundary=x', start],
      ['multipart/form-data', start],
      ['multipart/form-data; boundary=y', start],
      ['application/json', '{"file":1}'],
      ['text/plain', 'abc'],
    ] as const) {
      const { status } = await send(type, body)
      expect(status, type).toBeGreaterThanOrEqual(400)
      expect(status, type).toBeLessThan(500)
    }
    expect(await readdir(join(harness.dataDir, 'incoming'))).toEqual([])
  })
})

describe('the folders of two companies', () => {
  it('are separate: a file name of one company, signed for the other, is not found', async () => {
    const other = await harness.createCompany()
    const name = `${'a'.repeat(32)}.txt`
    await stored('x', 'make-the-folder.txt')
    await writeFile(join(harness.dataDir, 'files', String(admin.companyId), name), 'ours')
    const { files } = harness.server.deps
    expect(
      (
        await fetch(
          `${harness.address}/public/${files.signedPath(admin.companyId, { mediaPath: name, mediaName: 'x.txt' })}`,
        )
      ).status,
    ).toBe(200)
    expect(
      await expectRefusal(
        `${harness.address}/public/${files.signedPath(other.id, { mediaPath: name, mediaName: 'x.txt' })}`,
      ),
    ).toEqual([404, 'ERR_NOT_FOUND'])
    expect(
      await expectRefusal(
        `${harness.address}/public/${files.signedPath(admin.companyId, { mediaPath: '../../app-secret', mediaName: 'x' })}`,
      ),
    ).toEqual([404, 'ERR_NOT_FOUND'])
  })
})
