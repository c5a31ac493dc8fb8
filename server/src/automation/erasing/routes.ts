import { Readable } from 'node:stream'
import { erasingApi } from '@recado/contract/doors/moving'
import { writeDown } from '../../accounts/doors/audit.ts'
import { route } from '../../kernel/http/http.ts'
import { askErasure, findErasure, holdingsOf } from './erase.ts'
import { contactZip } from './take-out.ts'

export const erasingRoutes = [
  route(erasingApi.holdings, (scope, { params }) => holdingsOf(scope, params.id)),
  route(erasingApi.take, async (scope, { params }) => {
    const content = Readable.from(await contactZip(scope, params.id), { objectMode: false, highWaterMark: 1 << 16 })
    await writeDown(scope, 'contact.exported', params.id)
    return { name: `contact-${params.id}.zip`, type: 'application/zip', content }
  }),
  route(erasingApi.erase, (scope, { params }) => askErasure(scope, params.id)),
  route(erasingApi.erasure, (scope, { params }) => findErasure(scope, params.id)),
]
