mod environ;
mod quoting;
mod sets;
mod shown;
mod table;
mod values;
