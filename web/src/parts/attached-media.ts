import type { Endpoint, EndpointInput } from '@recado/contract/endpoint'
import { callApi, uploadFiles } from '../lib/api.ts'
import type { FileValue } from '../records/fields/field.ts'
import type { RecordRow } from '../records/merge-rows.ts'
import type { ReportUploadProgress } from '../records/use-record-form.ts'

type RowWithMedia = RecordRow & { mediaPath: string | null; mediaName: string | null }
type MediaApi = { show: Endpoint; upload: Endpoint; detach: Endpoint }

/** The file of a record as an initial form value. */
export function initialMediaValue<R extends RowWithMedia>(
  row: R | null,
  address: (path: string) => string,
  show: (id: number) => Promise<RowWithMedia>,
): FileValue {
  if (!row?.mediaPath) return { file: null, stored: null }
  const renew = async () => {
    const { mediaPath } = await show(row.id)
    return mediaPath && address(mediaPath)
  }
  return { file: null, stored: { name: row.mediaName ?? '', url: address(row.mediaPath), renew } }
}

/** Uploads the chosen file or removes the stored file; returns the resulting row. */
export async function saveAttachedMedia<R extends RowWithMedia>(
  api: MediaApi,
  row: R,
  value: FileValue,
  tell: (share: number) => void,
  fields: Record<string, string> = {},
): Promise<R> {
  const params = { id: row.id }
  if (value.file) await uploadFiles(api.upload, { params, fields, files: [value.file], onProgress: tell })
  else if (row.mediaPath && !value.stored) await callApi(api.detach, { params } as EndpointInput<Endpoint>)
  else return row
  return (await callApi(api.show, { params } as EndpointInput<Endpoint>)) as R
}

export const reportProgressAs = (tell: ReportUploadProgress, key: string) => (share: number) => tell(key, share)
