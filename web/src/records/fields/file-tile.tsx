import { ActionIcon, Progress, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { mediaSrc } from '../../lib/media.ts'
import { useTexts } from '../../lib/texts.ts'
import { recordTexts } from '../texts.ts'
import type { FileValue } from './field.ts'
import classes from './fields.module.css'
import { endingOf, kindOf, sizeOf } from './file-kind.ts'

type Props = {
  value: FileValue
  /** What has been sent of it, 0 to 1. */
  share?: number | undefined
  preview?: boolean
  onRemove?: (() => void) | undefined
  children?: ReactNode
}

/** A file that is chosen or stored: what it is, how far it is, and a way to take it off. */
export function FileTile({ value, share, preview, onRemove, children }: Props) {
  const words = useTexts(recordTexts)
  const name = value.file?.name ?? value.stored?.name ?? ''
  const src = useSource(value)
  const percent = Math.round((share ?? 0) * 100)
  return (
    <div className={classes.file}>
      {preview && <Preview name={name} src={src} />}
      <div className={classes.fileRow}>
        {!preview && <Thumb name={name} src={src} />}
        <span className={classes.fileWords}>
          {value.stored && !value.file && src ? (
            <a className={classes.fileName} href={src} target="_blank" rel="noreferrer" title={name}>
              {name}
            </a>
          ) : (
            <span className={classes.fileName} title={name}>
              {name}
            </span>
          )}
          <span className={classes.fileNote}>
            {share === undefined ? value.file && sizeOf(value.file.size) : words.sent(percent)}
          </span>
        </span>
        {children}
        {onRemove && (
          <Tooltip label={words.removeFile(name)}>
            <ActionIcon size={28} aria-label={words.removeFile(name)} onClick={onRemove} disabled={share !== undefined}>
              <IconX size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {share !== undefined && <Progress value={percent} size={3} radius={0} aria-label={words.sent(percent)} />}
    </div>
  )
}

/** An address the browser can show: of the chosen file itself, or of the stored one. */
function useSource({ file, stored }: FileValue): string {
  const [own, setOwn] = useState('')
  useEffect(() => {
    if (!file) return setOwn('')
    const url = URL.createObjectURL(file)
    setOwn(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return file ? own : mediaSrc(stored?.url)
}

function Thumb({ name, src }: { name: string; src: string }) {
  const [broken, setBroken] = useState(false)
  if (kindOf(name) === 'image' && src && !broken) {
    return <img className={classes.thumb} src={src} alt="" onError={() => setBroken(true)} />
  }
  return <span className={classes.ending}>{endingOf(name)}</span>
}

function Preview({ name, src }: { name: string; src: string }) {
  const words = useTexts(recordTexts)
  const [broken, setBroken] = useState('')
  const kind = kindOf(name)
  if (src && src !== broken) {
    const fail = () => setBroken(src)
    if (kind === 'image') return <img className={classes.preview} src={src} alt={name} onError={fail} />
    // biome-ignore-start lint/a11y/useMediaCaption: whatever was uploaded has no captions
    if (kind === 'video') return <video className={classes.preview} src={src} controls onError={fail} />
    if (kind === 'audio') return <audio className={classes.sound} src={src} controls onError={fail} />
    // biome-ignore-end lint/a11y/useMediaCaption: see above
  }
  return (
    <div className={classes.noPreview}>
      <span className={classes.ending}>{endingOf(name)}</span>
      {words.noPreview}
    </div>
  )
}
