import { IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { endingOf } from '../../../records/fields/file-kind.ts'
import { texts } from '../texts.ts'
import classes from './composer.module.css'

/** Files that wait for their words. */
export function Tray({ files, onChange }: { files: File[]; onChange: (files: File[]) => void }) {
  return (
    <div className={classes.tray}>
      {files.map((file, i) => (
        <Tile
          key={`${file.name}-${file.lastModified}-${file.size}`}
          file={file}
          onRemove={() => onChange(files.toSpliced(i, 1))}
        />
      ))}
    </div>
  )
}

function Tile({ file, onRemove }: { file: File; onRemove: () => void }) {
  const words = useTexts(texts)
  const [src, setSrc] = useState('')
  useEffect(() => {
    if (!file.type.startsWith('image/')) return
    const url = URL.createObjectURL(file)
    setSrc(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return (
    <span className={classes.tile} title={file.name}>
      {src ? <img src={src} alt={file.name} /> : endingOf(file.name) || file.name.slice(0, 6)}
      <button type="button" aria-label={words.removeFile(file.name)} onClick={onRemove}>
        <IconX size={13} stroke={2} />
      </button>
    </span>
  )
}
