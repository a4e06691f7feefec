# Manual pages and completion are what the program itself prints, so that they cannot fall behind it: it is run when it is installed.

include(GNUInstallDirs)

# ringsim_document(FILE FOLDER arguments...): what ringsim prints with these arguments, as FILE in FOLDER.
function(ringsim_document file folder)
  set(written ${CMAKE_CURRENT_BINARY_DIR}/documents/${file})
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/documents)
  list(JOIN ARGN " " arguments)
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:ringsim>\" ${arguments}
  OUTPUT_FILE \"${written}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${written} DESTINATION ${folder})
endfunction()

function(ringsim_install_documents)
  ringsim_document(ringsim.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
  ringsim_document(ringsim-scenario.5 ${CMAKE_INSTALL_MANDIR}/man5 man scenario)
  ringsim_document(ringsim ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
  ringsim_document(_ringsim ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
  ringsim_document(ringsim.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
endfunction()
