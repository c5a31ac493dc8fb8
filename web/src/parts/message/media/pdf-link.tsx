import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { fileExtensionLabel } from '../../../records/fields/file-kind.ts'
import { texts } from '../texts.ts'

const PdfViewer = lazy(() => import('./pdf-viewer.tsx').then((module) => ({ default: module.PdfViewer })))

/** By its name, and stored with us: what is still on its way has no address that a frame may have. */
export const isStoredPdf = (name: string, src: string): boolean =>
  fileExtensionLabel(name) === 'PDF' && src.startsWith('/public/')

/** Phones and tablets show a PDF in a frame not at all, or its first page alone: there it gets a tab of its own. */
const canShowPdfInFrame = () => navigator.pdfViewerEnabled && !matchMedia('(pointer: coarse)').matches

type Props = { name: string; src: string; className?: string | undefined; children: ReactNode }
/** Opens a PDF over the page, or beside it. */
export function PdfLink({ name, src, className, children }: Props) {
  const words = useTexts(texts)
  // The address it had when it was opened: a newer one would begin to load it again under the reader's eyes.
  const [open, setOpen] = useState<string | null>(null)
  const face = (
    <>
      <span className="rc-sr">{words.see} </span>
      {children}
    </>
  )
  if (!canShowPdfInFrame())
    return (
      <a className={className} href={src} target="_blank" rel="noreferrer">
        {face}
      </a>
    )
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(src)}>
        {face}
      </button>
      {open !== null && (
        <Suspense fallback={null}>
          <PdfViewer name={name} src={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  )
}
