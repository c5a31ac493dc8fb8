import type { StepWords } from './describe-node.ts'
import classes from './editor.module.css'
import { groupNames, iconOfItem, nameOfItem, type PaletteItem, paletteGroups } from './palette-items.ts'

/** The type of what is dragged from the palette to the canvas. */
export const draggedItemType = 'application/x-recado-step'

type Props = { of: StepWords; onAdd: (item: PaletteItem) => void }

/** The kinds of steps. A click adds one after the selected step, a drag puts it anywhere. */
export function Palette({ of, onAdd }: Props) {
  const { words } = of
  return (
    <nav className={classes.palette} aria-label={words.steps}>
      {groupNames.map((group) => (
        <section key={group} aria-label={words.groups[group]}>
          <h3>{words.groups[group]}</h3>
          {paletteGroups[group].map((item) => {
            const Icon = iconOfItem(item)
            return (
              <button
                key={item}
                type="button"
                className={classes.paletteItem}
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.setData(draggedItemType, item)
                  event.dataTransfer.effectAllowed = 'copy'
                }}
                onClick={() => onAdd(item)}
              >
                <Icon size={16} stroke={1.75} aria-hidden="true" />
                <span>{nameOfItem(item, of)}</span>
              </button>
            )
          })}
        </section>
      ))}
      <p className={classes.paletteHint}>{words.paletteHint}</p>
    </nav>
  )
}
