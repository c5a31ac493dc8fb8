import type { MessageKind } from '@recado/contract/messages'
import type { Upload } from '../../kernel/files/files.ts'

/** The message kind by file type; a recording made in the browser is a voice note whatever its container. */
export function messageKindOf(upload: Pick<Upload, 'name' | 'type'>): MessageKind {
  if (upload.name.includes('audio-record-site')) return 'audio'
  const [family] = upload.type.split('/')
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'application'
}
