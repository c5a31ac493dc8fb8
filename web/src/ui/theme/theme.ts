// The Mantine 9 theme. Colours that differ by scheme are in tokens.css; this file only references them.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, rem } from '@mantine/core'
import { filterSelectOptions } from '../select-options.ts'

const petrol: MantineColorsTuple = [
  '#f1f8fa',
  '#e1f0f4',
  '#bee2eb',
  '#91cedd',
  '#5eb4c9',
  '#3298ad',
  '#137f93',
  '#00687a',
  '#005463',
  '#063e49',
]
const gray: MantineColorsTuple = [
  '#fafaf8',
  '#f5f5f2',
  '#ededea',
  '#e0e0dc',
  '#ccccc8',
  '#8e8e88',
  '#60696c',
  '#454d50',
  '#2c3538',
  '#182022',
]
const dark: MantineColorsTuple = [
  '#e7ecee',
  '#b1bbbe',
  '#97a2a5',
  '#667376',
  '#333d3f',
  '#232d2f',
  '#1c2426',
  '#151c1e',
  '#0d1214',
  '#090e10',
]

export const theme = createTheme({
  colors: { petrol, gray, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 7 },
  white: '#ffffff',
  black: '#182022',
  fontFamily: "'Figtree Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, monospace",
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  lineHeights: { xs: '1.34', sm: '1.385', md: '1.43', lg: '1.375', xl: '1.3' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: rem(20), lineHeight: '1.3' },
      h2: { fontSize: rem(16), lineHeight: '1.375' },
      h3: { fontSize: rem(14), lineHeight: '1.43' },
    },
  },
  spacing: { xs: rem(6), sm: rem(8), md: rem(12), lg: rem(16), xl: rem(24) },
  radius: { xs: rem(4), sm: rem(6), md: rem(8), lg: rem(12), xl: rem(16) },
  defaultRadius: 'md',
  shadows: {
    xs: 'var(--rc-shadow-1)',
    sm: 'var(--rc-shadow-1)',
    md: 'var(--rc-shadow-2)',
    lg: 'var(--rc-shadow-3)',
    xl: 'var(--rc-shadow-3)',
  },
  breakpoints: { xs: '25em', sm: '37.5em', md: '56.25em', lg: '75em', xl: '96em' }, // The breakpoints are 400, 600, 900, 1200 and 1536 px.
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' }, styles: { root: { fontWeight: 600 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 3 } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right', filter: filterSelectOptions } },
    MultiSelect: { defaultProps: { size: 'sm', checkIconPosition: 'right', filter: filterSelectOptions } },
    Switch: { defaultProps: { size: 'sm', withThumbIndicator: false } },
    SegmentedControl: { defaultProps: { size: 'sm', radius: 9 } },
    Tabs: { defaultProps: { keepMounted: false } },
    Table: {
      defaultProps: { verticalSpacing: 0, horizontalSpacing: 'md', highlightOnHover: true, stickyHeader: true },
    },
    Modal: {
      defaultProps: {
        radius: 'xl',
        centered: true,
        padding: 0,
        overlayProps: { color: 'var(--rc-scrim)', backgroundOpacity: 1 },
        transitionProps: { transition: 'pop', duration: 160 },
      },
    },
    Drawer: { defaultProps: { size: 320, position: 'right', padding: 0 } },
    // Mantine's focus placeholder is a focusable child that is no menu item, which is invalid in a menu for
    // screen readers.
    Menu: { defaultProps: { radius: 'lg', shadow: 'lg', offset: 6, width: 220, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { radius: 'lg', shadow: 'lg', offset: 6 } },
    Tooltip: { defaultProps: { openDelay: 400, radius: 'sm', events: { hover: true, focus: true, touch: false } } },
    Avatar: { defaultProps: { radius: '50%', size: 36 } },
    Badge: { defaultProps: { variant: 'light', size: 'sm', radius: 'sm', tt: 'none', fw: 600 } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})

export const cssVariablesResolver: CSSVariablesResolver = () => {
  const sharedVariables = {
    '--mantine-color-body': 'var(--rc-canvas)',
    '--mantine-color-text': 'var(--rc-ink)',
    '--mantine-color-bright': 'var(--rc-ink)',
    '--mantine-color-dimmed': 'var(--rc-ink-3)',
    '--mantine-color-placeholder': 'var(--rc-ink-3)',
    '--mantine-color-anchor': 'var(--rc-accent-text)',
    '--mantine-color-error': 'var(--rc-danger)',
    '--mantine-color-default': 'var(--rc-surface)',
    '--mantine-color-default-hover': 'var(--rc-hover)',
    '--mantine-color-default-color': 'var(--rc-ink)',
    '--mantine-color-default-border': 'var(--rc-line-2)',
    '--mantine-color-disabled': 'var(--rc-active)',
    '--mantine-color-disabled-color': 'var(--rc-ink-3)',
    '--mantine-primary-color-filled': 'var(--rc-accent)',
    '--mantine-primary-color-filled-hover': 'var(--rc-accent-hover)',
    '--mantine-primary-color-light': 'var(--rc-accent-soft)',
    '--mantine-primary-color-light-hover': 'var(--rc-accent-soft-2)',
    '--mantine-primary-color-light-color': 'var(--rc-accent-text)',
    // White text has a contrast of 3.8:1 on Mantine's red, and 6.6:1 on the design's danger colour, in both themes.
    '--mantine-color-red-filled': '#b02a2d',
    '--mantine-color-red-filled-hover': '#932326',
    // Red menu items use this colour; Mantine's own red has a contrast of 3.3:1 on the page background.
    '--mantine-color-red-6': 'var(--rc-danger)',
    // Mantine's text for red buttons without a background is nearly white in the dark theme.
    '--mantine-color-red-light': 'var(--rc-danger-soft)',
    '--mantine-color-red-light-hover': 'var(--rc-danger-soft)',
    '--mantine-color-red-light-color': 'var(--rc-danger)',
    '--mantine-color-petrol-filled': 'var(--rc-accent)',
    '--mantine-color-petrol-filled-hover': 'var(--rc-accent-hover)',
    '--mantine-color-petrol-light': 'var(--rc-accent-soft)',
    '--mantine-color-petrol-light-hover': 'var(--rc-accent-soft-2)',
    '--mantine-color-petrol-light-color': 'var(--rc-accent-text)',
  }
  return { variables: {}, light: sharedVariables, dark: sharedVariables }
}
