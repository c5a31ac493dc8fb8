import { type Announcement, announcementsApi } from '@recado/contract/announcements'
import { makeRecords } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { keepUpload, scheduleFileRemoval, signedMediaPath } from '../../kernel/files/media.ts'
import { crudRoutes, route } from '../../kernel/http/routes.ts'

/** Platform news for everybody. Only the super user sees inactive announcements. */
const announcements = makeRecords('announcements', announcementsApi, {
  platform: 'with-files',
  present: (scope, rows) => rows.map((row) => ({ ...row, mediaPath: signedMediaPath(scope, row) })),
  visible: (scope, query) => (scope.person?.super ? query : query.where('status', '=', true)),
  audience: (_scope, row) => (row.status ? { everyone: true } : { super: true }),
})

const pictureTypes = /^image\/(png|jpeg)$/

/** A deactivated announcement must disappear for all users except the super user. */
async function updateAnnouncement(scope: Scope, id: number, values: object): Promise<Announcement> {
  const before = await announcements.lockRow(scope, id)
  const after = { ...before, ...values }
  if (before.status && !after.status)
    scope.publish(announcementsApi.topic, { action: 'delete', id }, { everyone: true })
  return announcements.update(scope, id, values)
}

export const announcementRoutes = [
  ...crudRoutes(announcementsApi, announcements, ['update', 'remove']),
  route(announcementsApi.update, (scope, { params, body }) => updateAnnouncement(scope, params.id, body)),
  route(announcementsApi.remove, async (scope, { params }) => {
    const row = await announcements.remove(scope, params.id)
    await scheduleFileRemoval(scope, [row.mediaPath], row.companyId)
    return { message: 'deleted' }
  }),
  route(announcementsApi.upload, async (scope, { params }, { uploads }) => {
    const before = await announcements.lockRow(scope, params.id)
    const { mediaPath: path, mediaName } = await keepUpload(
      scope.forCompany(before.companyId),
      uploads[0],
      pictureTypes,
    )
    await announcements.update(scope, params.id, { mediaPath: path, mediaName })
    await scheduleFileRemoval(scope, [before.mediaPath], before.companyId)
    return { mensagem: 'uploaded' }
  }),
  route(announcementsApi.detach, async (scope, { params }) => {
    const before = await announcements.lockRow(scope, params.id)
    await announcements.update(scope, params.id, { mediaPath: null, mediaName: null })
    await scheduleFileRemoval(scope, [before.mediaPath], before.companyId)
    return { mensagem: 'removed' }
  }),
]
