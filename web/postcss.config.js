// The theme's breakpoints again: custom properties cannot stand in a media query.
export default {
  plugins: {
    'postcss-preset-mantine': {},
    'postcss-simple-vars': {
      variables: {
        'mantine-breakpoint-xs': '25em',
        'mantine-breakpoint-sm': '37.5em',
        'mantine-breakpoint-md': '56.25em',
        'mantine-breakpoint-lg': '75em',
        'mantine-breakpoint-xl': '96em',
      },
    },
  },
}
