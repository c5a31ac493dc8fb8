import { ActionIcon, Progress, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { mediaSrc } from '../../lib/media-src.ts'
import { useTexts } from '../../lib/texts.ts'
import { recordTexts } from '../texts.ts'
import type { FileValue } from './field.ts'
import classes from './fields.module.css'
import { fileExtensionLabel, fileKindOf, formatFileSize } from './file-kind.ts'

type Props = {
  value: FileValue
  /** Upload progress, 0 to 1. */
  uploadedShare?: number | undefined
  preview?: boolean
  onRemove?: (() => void) | undefined
  children?: ReactNode
}

/** A chosen or stored file: its kind, its progress, and a remove button. */
export function FileTile({ value, uploadedShare, preview, onRemove, children }: Props) {
  const words = useTexts(recordTexts)
  const name = value.file?.name ?? value.stored?.name ?? ''
  const { src, fail } = useFileSource(value)
  const percent = Math.round((uploadedShare ?? 0) * 100)
  return (
    <div className={classes.file}>
      {preview && <Preview name={name} src={src} onError={fail} />}
      <div className={classes.fileRow}>
        {!preview && <Thumb name={name} src={src} onError={fail} />}
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
            {uploadedShare === undefined ? value.file && formatFileSize(value.file.size) : words.sent(percent)}
          </span>
        </span>
        {children}
        {onRemove && (
          <Tooltip label={words.removeFile(name)}>
            <ActionIcon
              size={28}
              aria-label={words.removeFile(name)}
              onClick={onRemove}
              disabled={uploadedShare !== undefined}
            >
              <IconX size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {uploadedShare !== undefined && <Progress value={percent} size={3} radius={0} aria-label={words.sent(percent)} />}
    </div>
  )
}

/** The preview URL of the newly chosen file, or of the stored file. */
function useFileSource({ file, stored }: FileValue) {
  const [objectUrl, setObjectUrl] = useState('')
  const [renewed, setRenewed] = useState<string | null>(null)
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    setBroken(false)
    if (!file) return setObjectUrl('')
    const url = URL.createObjectURL(file)
    setObjectUrl(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  const fail = () => {
    if (file || renewed !== null || !stored?.renew) return setBroken(true)
    stored.renew().then(
      (url) => setRenewed(url ?? ''),
      () => setBroken(true),
    )
  }
  return { src: broken ? '' : file ? objectUrl : mediaSrc(renewed ?? stored?.url), fail }
}

type ThumbProps = { name: string; src: string; onError: () => void }
function Thumb({ name, ...shown }: ThumbProps) {
  if (fileKindOf(name) === 'image' && shown.src) return <img className={classes.thumb} {...shown} alt="" />
  return <span className={classes.ending}>{fileExtensionLabel(name)}</span>
}

function Preview({ name, ...shown }: ThumbProps) {
  const words = useTexts(recordTexts)
  const kind = fileKindOf(name)
  if (shown.src) {
    if (kind === 'image') return <img className={classes.preview} {...shown} alt={name} />
    // biome-ignore-start lint/a11y/useMediaCaption: whatever was uploaded has no captions
    if (kind === 'video') return <video className={classes.preview} {...shown} controls />
    if (kind === 'audio') return <audio className={classes.sound} {...shown} controls />
    // biome-ignore-end lint/a11y/useMediaCaption: see above
  }
  return (
    <div className={classes.noPreview}>
      <span className={classes.ending}>{fileExtensionLabel(name)}</span>
      {words.noPreview}
    </div>
  )
}
