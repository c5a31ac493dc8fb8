import { useEffect, useState } from 'react'
import classes from './qr-code.module.css'

/** The code is always dark on white in both themes, because cameras need it. The picture changes with `text`. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const drawing = useDrawing(text)
  return (
    <div className={classes.paper} data-qr={text}>
      {drawing && (
        <svg viewBox={`0 0 ${drawing.size} ${drawing.size}`} role="img" aria-label={label} shapeRendering="crispEdges">
          <path d={drawing.path} className={classes.ink} />
        </svg>
      )}
    </div>
  )
}

type Drawing = { size: number; path: string }

/** The drawing library loads with the first code. */
function useDrawing(text: string): Drawing | null {
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  useEffect(() => {
    let wanted = true
    void import('qrcode').then(({ default: qrcode }) => {
      const { size, data } = qrcode.create(text, { errorCorrectionLevel: 'L' }).modules
      if (wanted) setDrawing({ size, path: drawModules(size, data) })
    })
    return () => {
      wanted = false
    }
  }, [text])
  return drawing
}

/** The path of the dark modules: one stroke per run of dark modules in a row. */
function drawModules(size: number, dark: ArrayLike<number | boolean>): string {
  let path = ''
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!dark[y * size + x]) continue
      const from = x
      while (x + 1 < size && dark[y * size + x + 1]) x++
      path += `M${from} ${y}h${x + 1 - from}v1h${from - x - 1}z`
    }
  }
  return path
}
