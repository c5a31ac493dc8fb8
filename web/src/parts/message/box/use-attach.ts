import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { useUploadLimit } from '../../../lib/version.ts'
import { sizeOf } from '../../../records/fields/file-kind.ts'
import { mostFiles, sift } from './sift.ts'
import { texts } from './texts.ts'
import { addFiles, trayOf } from './tray-files.ts'

const named = (files: File[]) => files.map(({ name }) => name).join(', ')

/** Puts files on the tray, and says at once which ones could never be sent. */
export function useAttach(place: string): (files: File[]) => void {
  const words = useTexts(texts)
  const largest = useUploadLimit()
  return (files) => {
    const { taken, large, empty, over } = sift(files, trayOf(place).length, largest)
    if (large.length > 0) toast.warn(words.tooLarge(named(large), sizeOf(largest)))
    if (empty.length > 0) toast.warn(words.noContent(named(empty)))
    if (over > 0) toast.warn(words.tooMany(mostFiles))
    if (taken.length > 0) addFiles(place, taken)
  }
}
