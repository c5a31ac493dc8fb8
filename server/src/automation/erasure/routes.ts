import { contactErasureApi } from '@recado/contract/api-access/export-and-erasure'
import { writeAudit } from '../../accounts/api-access/audit.ts'
import { route } from '../../kernel/http/routes.ts'
import { countContactData, findErasure, requestErasure } from './erase.ts'
import { exportContactZip } from './export-zip.ts'

export const erasureRoutes = [
  route(contactErasureApi.holdings, (scope, { params }) => countContactData(scope, params.id)),
  route(contactErasureApi.take, async (scope, { params }) => {
    const content = await exportContactZip(scope, params.id)
    await writeAudit(scope, 'contact.exported', params.id)
    return { name: `contact-${params.id}.zip`, type: 'application/zip', content }
  }),
  route(contactErasureApi.erase, (scope, { params }) => requestErasure(scope, params.id)),
  route(contactErasureApi.erasure, (scope, { params }) => findErasure(scope, params.id)),
]
