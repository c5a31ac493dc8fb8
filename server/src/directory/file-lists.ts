import { type FileList, filesApi } from '@recado/contract/files'
import type { Selectable } from 'kysely'
import { makeRecords } from '../kernel/data/records.ts'
import type { Scope } from '../kernel/data/scope.ts'
import type { DB } from '../kernel/data/tables.ts'
import { AppError } from '../kernel/errors.ts'
import { keepUpload, scheduleFileRemoval, signedMediaUrl } from '../kernel/files/media.ts'
import { crudRoutes, route } from '../kernel/http/routes.ts'

type Option = Selectable<DB['fileOptions']>
type WantedOptions = { id?: number | undefined; name: string }[]

const lists = makeRecords('files', filesApi, {
  conflicts: { files_name_key: 'ERR_FILE_NAME_ALREADY_EXISTS' },
  present: async (scope, rows) => {
    const options = await listOptions(
      scope,
      rows.map((r) => r.id),
    )
    return rows.map((row) => ({
      ...row,
      options: options.filter((o) => o.fileId === row.id).map((o) => presentOption(scope, o)),
    }))
  },
})

const presentOption = (scope: Scope, o: Option) => ({
  id: o.id,
  name: o.name,
  path: o.mediaName,
  mediaType: o.mediaType,
  url: signedMediaUrl(scope, o),
})

async function listOptions(scope: Scope, fileIds: number[]): Promise<Option[]> {
  if (!fileIds.length) return []
  return scope.db
    .selectFrom('fileOptions')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('fileId', 'in', fileIds)
    .orderBy('fileId')
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Sets the options of a list in the form's order; clients pair their files with them by position. */
async function setOptions(scope: Scope, fileId: number, options: WantedOptions): Promise<void> {
  const { companyId } = scope
  const before = await listOptions(scope, [fileId])
  const kept = new Set(options.map((w) => w.id))
  const removed = before.filter((o) => !kept.has(o.id))
  if (removed.length) {
    await scope.db
      .deleteFrom('fileOptions')
      .where('companyId', '=', companyId)
      .where(
        'id',
        'in',
        removed.map((o) => o.id),
      )
      .execute()
    await scheduleFileRemoval(
      scope,
      removed.map((o) => o.mediaPath),
    )
  }
  const free = new Set(before.map((o) => o.id))
  for (const [position, { id, name }] of options.entries()) {
    // An id that is duplicate or not of this list is treated as a new option.
    if (id && free.delete(id))
      await scope.db
        .updateTable('fileOptions')
        .set({ name, position })
        .where('companyId', '=', companyId)
        .where('id', '=', id)
        .execute()
    else
      await scope.db
        .insertInto('fileOptions')
        .values({ companyId, fileId, name, position, mediaPath: null, mediaName: null, mediaType: null })
        .execute()
  }
}

async function publishFileList(scope: Scope, action: 'create' | 'update', id: number): Promise<FileList> {
  const row = await lists.find(scope, id)
  scope.publish(filesApi.topic, { action, row })
  return row
}

/** Refuses if a planned or running campaign sends these files. */
async function assertNotInUse(scope: Scope, id: number): Promise<void> {
  const used = await scope.db
    .selectFrom('campaigns')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('fileListId', '=', id)
    .where('status', 'in', ['PROGRAMADA', 'EM_ANDAMENTO'])
    .executeTakeFirst()
  if (used) throw new AppError('ERR_FILELIST_IN_USE')
}

export const fileListRoutes = [
  ...crudRoutes(filesApi, lists, ['create', 'update', 'remove']),
  route(filesApi.create, async (scope, { body }) => {
    const { id } = await lists.create(scope, { name: body.name, message: body.message, userId: scope.actor.id })
    await setOptions(scope, id, body.options)
    return publishFileList(scope, 'update', id)
  }),
  route(filesApi.update, async (scope, { params, body }) => {
    await lists.update(scope, params.id, { name: body.name, message: body.message })
    await setOptions(scope, params.id, body.options)
    return publishFileList(scope, 'update', params.id)
  }),
  route(filesApi.remove, async (scope, { params }) => {
    await lists.lockRow(scope, params.id)
    await assertNotInUse(scope, params.id)
    const options = await listOptions(scope, [params.id])
    await lists.remove(scope, params.id)
    await scheduleFileRemoval(
      scope,
      options.map((o) => o.mediaPath),
    )
    return { message: 'deleted' }
  }),
  route(filesApi.upload, async (scope, { params, body }, { uploads }) => {
    await lists.lockRow(scope, params.id)
    const options = await listOptions(scope, [params.id])
    for (const [place, upload] of uploads.entries()) {
      const option = options.find((o) => o.id === body.id[place])
      if (!option) throw new AppError('ERR_NO_FILE_FOUND')
      const stored = await keepUpload(scope, upload)
      await scope.db
        .updateTable('fileOptions')
        .set(stored)
        .where('companyId', '=', scope.companyId)
        .where('id', '=', option.id)
        .execute()
      await scheduleFileRemoval(scope, [option.mediaPath])
      option.mediaPath = stored.mediaPath
    }
    return publishFileList(scope, 'update', params.id)
  }),
]
