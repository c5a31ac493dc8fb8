import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { fileExtensionLabel } from '../../../records/fields/file-kind.ts'
import { texts } from '../texts.ts'

const PdfViewer = lazy(() => import('./pdf-viewer.tsx').then((module) => ({ default: module.PdfViewer })))

/** Whether a file is a PDF by its name and stored on our server: the URL of a pending file is not allowed in a frame. */
export const isStoredPdf = (name: string, src: string): boolean =>
  fileExtensionLabel(name) === 'PDF' && src.startsWith('/public/')

/** Phones and tablets show no PDFs in a frame, or only the first page: on these devices a PDF opens in a tab. */
const canShowPdfInFrame = () => navigator.pdfViewerEnabled && !matchMedia('(pointer: coarse)').matches

type Props = { name: string; src: string; className?: string | undefined; children: ReactNode }
/** Opens a PDF over the page or in a tab. */
export function PdfLink({ name, src, className, children }: Props) {
  const words = useTexts(texts)
  // The URL at the time of opening is kept: a newer signed URL would reload the document while it is being read.
  const [open, setOpen] = useState<string | null>(null)
  const content = (
    <>
      <span className="rc-sr">{words.see} </span>
      {children}
    </>
  )
  if (!canShowPdfInFrame())
    return (
      <a className={className} href={src} target="_blank" rel="noreferrer">
        {content}
      </a>
    )
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(src)}>
        {content}
      </button>
      {open !== null && (
        <Suspense fallback={null}>
          <PdfViewer name={name} src={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  )
}
