import { ActionIcon, Input, Popover, TextInput } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ComponentProps, useId, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { recordTexts } from '../texts.ts'
import { allColors, isHexColor, mainColors } from './color-palette.ts'
import classes from './fields.module.css'

type Props = Pick<
  ComponentProps<typeof Input.Wrapper>,
  'label' | 'description' | 'error' | 'withAsterisk' | 'inputWrapperOrder'
> & {
  value: string
  onChange: (color: string) => void
  /** Colours that replace the default colours, most used first. */
  colors?: string[]
  /** The owner of this colour, if each colour may be used only once. */
  usedBy?: (color: string) => string | undefined
}

/** The main palette; more colours are behind the dots, and any other colour can be entered by its code. */
export function ColorField({ value, onChange, colors, usedBy, ...wrapper }: Props) {
  const words = useTexts(recordTexts)
  const [open, setOpen] = useState(false)
  const labelId = useId()
  const { label, ...below } = wrapper
  const choose = (color: string) => {
    onChange(color)
    setOpen(false)
  }
  return (
    <Input.Wrapper {...below} label={<span id={labelId}>{label}</span>} labelElement="div">
      <div className={classes.colors}>
        <Swatches
          colors={colors?.slice(0, 12) ?? mainColors}
          {...{ value, onChange, usedBy: usedBy }}
          labelledBy={labelId}
        />
        <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus returnFocus>
          <Popover.Target>
            <ActionIcon
              size={28}
              aria-label={words.moreColors}
              title={words.moreColors}
              data-mantine-stop-propagation={open || undefined}
              onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
              onClick={() => setOpen(!open)}
            >
              <IconDots size={17} stroke={1.75} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown className={classes.palette ?? ''} data-mantine-stop-propagation>
            <Swatches
              colors={colors ?? allColors}
              {...{ value, usedBy: usedBy }}
              onChange={choose}
              labelledBy={labelId}
              isFloating
            />
          </Popover.Dropdown>
        </Popover>
        <TextInput
          className={classes.hex ?? ''}
          aria-label={words.hex}
          value={value}
          maxLength={9}
          spellCheck={false}
          autoComplete="off"
          leftSection={<span className={`${classes.dot} rc-dot`} style={dotStyle(value)} />}
          onChange={(event) => onChange(withHash(event.currentTarget.value))}
        />
      </div>
    </Input.Wrapper>
  )
}

const dotStyle = (value: string) => ({ '--c': isHexColor(value) ? value : 'transparent' }) as React.CSSProperties
const withHash = (text: string) => (text && !text.startsWith('#') ? `#${text}` : text).toLowerCase()

type SwatchesProps = {
  colors: string[]
  value: string
  onChange: (color: string) => void
  labelledBy: string
  usedBy: Props['usedBy']
  isFloating?: boolean
}
/** Radio buttons under their colours. Arrow keys move between them; together they are one tab stop. */
function Swatches({ colors, value, onChange, labelledBy, usedBy, isFloating }: SwatchesProps) {
  const words = useTexts(recordTexts)
  const name = useId()
  return (
    <div role="radiogroup" aria-labelledby={labelledBy} className={classes.swatches}>
      {colors.map((color) => (
        <label
          key={color}
          className={classes.swatch}
          title={usedBy?.(color)}
          data-taken={usedBy?.(color) ? true : undefined}
          data-picked={color === value.toLowerCase() || undefined}
        >
          <input
            type="radio"
            name={name}
            value={color}
            checked={color === value.toLowerCase()}
            aria-label={[words.colorNamed(color), usedBy?.(color)].filter(Boolean).join(', ')}
            // Escape closes the palette, not the dialog below it.
            data-mantine-stop-propagation={isFloating || undefined}
            onChange={() => onChange(color)}
          />
          <span style={{ background: color }} />
        </label>
      ))}
    </div>
  )
}
