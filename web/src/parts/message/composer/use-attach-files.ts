import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { useUploadLimit } from '../../../lib/version.ts'
import { formatFileSize } from '../../../records/fields/file-kind.ts'
import { addAttachedFiles, getAttachedFiles } from './attached-files-store.ts'
import { checkAttachedFiles, maxAttachedFiles } from './check-attached-files.ts'
import { texts } from './texts.ts'

const joinFileNames = (files: File[]) => files.map(({ name }) => name).join(', ')

/** Adds files to the tray, and reports at once which files cannot be sent. */
export function useAttachFiles(place: string): (files: File[]) => void {
  const words = useTexts(texts)
  const largest = useUploadLimit()
  return (files) => {
    const { accepted, tooLarge, empty, overLimitCount } = checkAttachedFiles(
      files,
      getAttachedFiles(place).length,
      largest,
    )
    if (tooLarge.length > 0) toast.warn(words.tooLarge(joinFileNames(tooLarge), formatFileSize(largest)))
    if (empty.length > 0) toast.warn(words.noContent(joinFileNames(empty)))
    if (overLimitCount > 0) toast.warn(words.tooMany(maxAttachedFiles))
    if (accepted.length > 0) addAttachedFiles(place, accepted)
  }
}
