import { useSortable } from '@dnd-kit/sortable'
import { Menu } from '@mantine/core'
import type { Queue } from '@recado/contract/queues'
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconDots,
  IconGripVertical,
  IconMessageCheck,
  IconPlus,
  IconTrash,
  IconUser,
} from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { Chip } from '../../../ui/chip.tsx'
import classes from './menu.module.css'
import { menuTexts } from './menu-texts.ts'
import {
  findNode,
  getBranch,
  getChildren,
  getDepth,
  getOptionNumber,
  type MenuNode,
  type MenuTree,
  moveOptionOneStep,
} from './menu-tree.ts'
import type { CarryOption } from './use-carry-option.ts'

/** Indentation per level in pixels (design 8). */
export const levelIndentPx = 26

type Props = {
  node: MenuNode
  tree: MenuTree
  queues: Queue[]
  /** The level of the option; while dragging, the level of the drop position. */
  depth: number
  selected: boolean
  invalid: boolean
  optionDrag: CarryOption
  onSelect: (key: string) => void
  onAdd: (parentKey: string) => void
  onRemove: (key: string) => void
  onChange: (tree: MenuTree) => void
}

/** A row with grip, number, title, effect, and actions. */
export function MenuRow({ node, tree, queues, depth, selected, invalid, optionDrag, onSelect, onAdd, ...rest }: Props) {
  const words = useTexts(menuTexts)
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } = useSortable({
    id: node.key,
  })
  const { key } = node
  const name = node.title.trim() || words.noTitle
  const isHeld = optionDrag.heldKey === key
  const at = getDepth(tree, key)
  return (
    <li
      ref={setNodeRef}
      className={classes.row}
      data-selected={selected || undefined}
      data-lifted={isDragging || isHeld || undefined}
      data-invalid={invalid || undefined}
      style={{
        // The row keeps its layout position while dragged, and the drop level is drawn by a transform: dnd-kit
        // measures the dragged element, and a moved position would falsify the pointer's distance.
        marginLeft: at * levelIndentPx,
        transform: transform
          ? `translate3d(${(depth - at) * levelIndentPx}px, ${Math.round(transform.y)}px, 0)`
          : undefined,
        transition,
      }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className={classes.grip}
        aria-label={words.drag(name)}
        aria-pressed={isHeld}
        aria-describedby="menu-carry-help"
        data-mantine-stop-propagation={isHeld || isDragging || undefined}
        {...listeners}
        onKeyDown={optionDrag.onKeyDown(key)}
        onBlur={optionDrag.onBlur(key)}
      >
        <IconGripVertical size={15} stroke={1.75} />
      </button>
      <button
        type="button"
        className={classes.title}
        aria-current={selected || undefined}
        aria-invalid={invalid || undefined}
        onClick={() => onSelect(key)}
        // A failed validation moves the focus to this row, so the option with the error is selected.
        onFocus={() => invalid && onSelect(key)}
      >
        <span className={classes.number}>{getOptionNumber(tree, node)}</span>
        <span className={classes.name} data-none={!node.title.trim() || undefined}>
          {name}
        </span>
        <OptionOutcome node={node} tree={tree} queues={queues} />
      </button>
      <button type="button" className={classes.act} aria-label={words.addInside(name)} onClick={() => onAdd(key)}>
        <IconPlus size={15} stroke={1.75} />
      </button>
      <OptionMenu {...{ node, tree, name, optionDrag: optionDrag, ...rest }} />
    </li>
  )
}

/** The effect of choosing the option; for an option with children, its children. */
function OptionOutcome({ node, tree, queues }: Pick<Props, 'node' | 'tree' | 'queues'>) {
  const words = useTexts(menuTexts)
  if (getChildren(tree, node.key).length > 0) return null
  const queue = queues.find(({ id }) => id === node.forwardQueueId)
  const icon = { size: 12, stroke: 1.75, 'aria-hidden': true }
  const [Icon, label] =
    node.leads === 'person'
      ? [IconUser, words.toPerson]
      : node.leads === 'end'
        ? [IconMessageCheck, words.end]
        : [IconArrowRight, queue ? words.toQueueNamed(queue.name) : words.toNoQueue]
  return (
    <span className={classes.then}>
      <Chip icon={<Icon {...icon} />} title={label}>
        {label}
      </Chip>
    </span>
  )
}

type MoreProps = Pick<Props, 'node' | 'tree' | 'optionDrag' | 'onRemove' | 'onChange'> & { name: string }
function OptionMenu({ node: { key, parentKey }, tree, name, optionDrag, onRemove }: MoreProps) {
  const words = useTexts(menuTexts)
  const siblings = getChildren(tree, parentKey)
  const above = siblings[siblings.findIndex((node) => node.key === key) - 1]
  const below = getBranch(tree, key).length - 1
  const icon = { size: 16, stroke: 1.75 }
  const step = (way: Parameters<typeof moveOptionOneStep>[2], Icon: typeof IconArrowUp, label: string) => (
    <Menu.Item
      leftSection={<Icon {...icon} />}
      disabled={moveOptionOneStep(tree, key, way) === tree}
      onClick={() => optionDrag.step(key, way)}
    >
      {label}
    </Menu.Item>
  )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={classes.act} aria-label={words.more(name)}>
          <IconDots size={15} stroke={1.75} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {step('up', IconArrowUp, words.up)}
        {step('down', IconArrowDown, words.down)}
        {above && step('in', IconArrowRight, words.into(above.title.trim() || words.noTitle))}
        {findNode(tree, parentKey) && step('out', IconArrowLeft, words.out)}
        <Menu.Item className={classes.danger ?? ''} leftSection={<IconTrash {...icon} />} onClick={() => onRemove(key)}>
          {below > 0 ? words.removeAll(below) : words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
