import { IconFile, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { fileExtensionLabel, formatFileSize } from '../../../records/fields/file-kind.ts'
import type { AttachedFile } from './attached-file.ts'
import classes from './attached-files.module.css'
import { texts } from './texts.ts'

type Props = {
  files: AttachedFile[]
  onRemove: (id: string) => void
  /** Absent when files have no captions. */
  onCaption?: (id: string, caption: string) => void
}

/** Attached files. The composer's text is the caption of the first file; clicking another file opens its caption field. */
export function AttachedFiles({ files, onRemove, onCaption }: Props) {
  const words = useTexts(texts)
  const [selectedId, setChosen] = useState<string | null>(null)
  const spoken = files.slice(1).find(({ id }) => id === selectedId)
  return (
    <div className={classes.root}>
      <ul className={classes.tiles} aria-label={words.files}>
        {files.map((one, i) => (
          <FileTile
            key={one.id}
            attachedFile={one}
            isSelected={one === spoken}
            onSelect={
              onCaption && i > 0 && one.file ? () => setChosen(one.id === selectedId ? null : one.id) : undefined
            }
            onRemove={() => onRemove(one.id)}
          />
        ))}
      </ul>
      {spoken && (
        <input
          key={spoken.id}
          className={classes.caption}
          // biome-ignore lint/a11y/noAutofocus: it was asked for by pressing its tile
          autoFocus
          aria-label={words.fileWords(spoken.name)}
          placeholder={words.fileWords(spoken.name)}
          value={spoken.caption}
          maxLength={4000}
          onChange={(event) => onCaption?.(spoken.id, event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && setChosen(null)}
        />
      )}
    </div>
  )
}

type TileProps = {
  attachedFile: AttachedFile
  isSelected: boolean
  onSelect: (() => void) | undefined
  onRemove: () => void
}

function FileTile({ attachedFile: one, isSelected, onSelect, onRemove }: TileProps) {
  const words = useTexts(texts)
  const thumbnail = one.preview ? (
    <img src={one.preview} alt={one.name} />
  ) : (
    <span className={classes.kind}>
      {fileExtensionLabel(one.name) || <IconFile size={18} stroke={1.75} aria-hidden="true" />}
      <span className={classes.name}>{one.name}</span>
    </span>
  )
  const title = one.file ? `${one.name} · ${formatFileSize(one.file.size)}` : words.fetching(one.name)
  return (
    <li className={classes.tile} title={title} data-coming={one.file ? undefined : true} aria-busy={!one.file}>
      {onSelect ? (
        <button
          type="button"
          className={classes.face}
          aria-pressed={isSelected}
          data-said={one.caption !== '' || undefined}
          onClick={onSelect}
        >
          {thumbnail}
          <span className="rc-sr">{words.fileWords(one.name)}</span>
        </button>
      ) : (
        <span className={classes.face}>{thumbnail}</span>
      )}
      <button type="button" className={classes.remove} aria-label={words.removeFile(one.name)} onClick={onRemove}>
        <IconX size={13} stroke={2} />
      </button>
    </li>
  )
}
