import type { Endpoint, Given } from '@recado/contract/kit'
import { call, upload } from '../lib/api.ts'
import type { FileValue } from '../records/fields/field.ts'
import type { Row } from '../records/merge.ts'
import type { Tell } from '../records/use-record-form.ts'

type WithMedia = Row & { mediaPath: string | null; mediaName: string | null }
type MediaApi = { show: Endpoint; upload: Endpoint; detach: Endpoint }

/** The one file of a record, as a form starts with it. */
export function mediaOf<R extends WithMedia>(
  row: R | null,
  address: (path: string) => string,
  show: (id: number) => Promise<WithMedia>,
): FileValue {
  if (!row?.mediaPath) return { file: null, stored: null }
  const renew = async () => {
    const { mediaPath } = await show(row.id)
    return mediaPath && address(mediaPath)
  }
  return { file: null, stored: { name: row.mediaName ?? '', url: address(row.mediaPath), renew } }
}

/** Sends the chosen file, or takes the stored one off; answers with the row as it is then. */
export async function settleMedia<R extends WithMedia>(
  api: MediaApi,
  row: R,
  value: FileValue,
  tell: (share: number) => void,
  fields: Record<string, string> = {},
): Promise<R> {
  const params = { id: row.id }
  if (value.file) await upload(api.upload, { params, fields, files: [value.file], onProgress: tell })
  else if (row.mediaPath && !value.stored) await call(api.detach, { params } as Given<Endpoint>)
  else return row
  return (await call(api.show, { params } as Given<Endpoint>)) as R
}

export const tellAs = (tell: Tell, key: string) => (share: number) => tell(key, share)
