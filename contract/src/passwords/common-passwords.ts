/**
 * Base words of the most common passwords in our three languages. Digits and symbols around them are ignored
 * (`isCommonPassword`), so each word appears once.
 */
export const commonPasswordBaseWords: ReadonlySet<string> = new Set(
  `password passwort passw0rd pass letmein welcome login admin administrator root master secret default guest test
  testing user usuario qwerty qwertyuiop azerty asdfgh asdfghjkl zxcvbn zxcvbnm abc abcd abcdef abcabc iloveyou loveme
  sunshine princess dragon monkey football baseball basketball soccer hockey superman batman spiderman pokemon starwars
  shadow michael michelle jennifer jessica ashley daniel thomas jordan charlie andrew robert matthew joshua george
  hunter killer trustno trustnoone whatever freedom computer internet samsung google facebook instagram whatsapp
  summer winter spring autumn monday friday flower cookie cheese chocolate banana orange purple silver golden ginger
  pepper buster maggie bailey harley ranger cowboy lovely hello helloworld hola holamundo ola olamundo changeme change
  mypassword newpassword oldpassword thepassword contraseña contrasena contrasenia micontraseña micontrasena clave
  miclave clavesegura acceso entrar secreto senha minhasenha senhasegura segredo mudar trocar bemvindo bienvenido
  bienvenida teamo tequiero teadoro amor amorcito amormio meuamor princesa preciosa hermosa bonita mariposa estrella
  corazon coração coracao familia bebe gatito perrito cachorro flamengo corinthians palmeiras santos saopaulo gremio
  barcelona realmadrid bocajuniors riverplate boca river racing sanlorenzo america chivas pumas cruzazul nacional
  peñarol penarol alianza colocolo millonarios atletico argentina brasil brazil mexico colombia chile peru españa espana
  uruguay ecuador venezuela bolivia paraguay portugal lisboa madrid buenosaires jesus jesuscristo cristo dios deus
  diosesamor deusefiel jesuseamor jehova alejandro alejandra alexander andrea antonio beatriz bruno camila carlos carolina
  catalina claudia cristian daniela diego eduardo felipe fernanda fernando francisco gabriel gabriela guilherme gustavo
  isabella javier joao jorge jose juan juancarlos juliana karina laura leandro leonardo lucas luciana luis luisa manuel
  marcelo marcos maria mariana martin mateus mauricio miguel natalia nicolas paola patricia paula pedro rafael ricardo
  roberto rodrigo rosa samuel sandra santiago sebastian sergio silvia sofia tiago valentina vanessa veronica victor
  empresa company negocio negocios ventas vendas soporte suporte support sales agente agent cliente clientes servidor
  server sistema system recado whaticket atendimento atencion`.split(/\s+/),
)
